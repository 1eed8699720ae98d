"""The result of one run, from a group or from a grading report."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from mlebench.analysis.model.base import Model
from mlebench.grading.reports import Outcome
from mlebench.runs.record import Status, UsageRecord
from mlebench.sandbox.ending import Reason
from mlebench.tasks.medals import Medal

REHEARSAL = "rehearsal"
"""The origin of synthetic data in a verdict."""


class RunKey(NamedTuple):
    """The identity of a run within a report."""

    agent: str
    competition: str
    seed: int


class RunResult(Model):
    """The result of one run."""

    run_group: str
    """The group of the run, or the grading report that it is a row of."""
    run_id: str
    agent: str
    competition: str
    """Label of the task: the competition's id, with `@v2` for that version."""
    seed: int
    status: Status
    finished: bool
    """Whether the run counts and is graded; without that, the fields of the verdict are empty."""
    outcome: Outcome | None = None
    reason: str | None = None
    """Why the submission has no score, or why the run is not finished."""
    score: float | None = None
    """JSON has neither NaN nor infinity: there, such a score is null, and the outcome is `graded`."""
    medal: Medal | None = None
    above_median: bool = False
    rank: int | None = None
    teams: int | None = None
    percentile: float | None = None
    """Percentage of teams that the score is better than or equal to."""
    normalized_score: float | None = None
    """0 at the sample submission, 1 at the gold threshold."""
    data: str | None = None
    """Origin of the prepared data."""
    ending: Reason | None = None
    ending_detail: str = ""
    seconds: float | None = None
    """Wall time of the agent."""
    attempts: int = 0
    usage: UsageRecord | None = None
    """Requests, tokens and money; None without a model gateway."""
    by_rules_of_v2: RunResult | None = None
    """The result of a run of v1 by the rules of v2 on the same data; None if it was not graded so."""
    folder: Path | None = Field(default=None, exclude=True)
    """The run's folder on this machine; None for rows of grading reports, and never in `report.json`."""

    @property
    def key(self) -> RunKey:
        """The identity of the run within the report."""
        return RunKey(self.agent, self.competition, self.seed)

    @property
    def is_rehearsal(self) -> bool:
        """Whether the data were synthetic, so that the run is never a result."""
        return self.data == REHEARSAL

    @property
    def submitted(self) -> bool:
        """Whether the run is finished and left a submission."""
        return self.finished and self.outcome is not Outcome.MISSING

    @property
    def valid(self) -> bool:
        """Whether the run is finished and its submission has a score."""
        return self.finished and self.outcome is Outcome.GRADED
