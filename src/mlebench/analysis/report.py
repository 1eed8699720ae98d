"""The content of `report.json`: what agents achieved, over competitions and seeds."""

from __future__ import annotations

import math
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.analysis import statistics
from mlebench.analysis.results import RunResult
from mlebench.medals import Medal

if TYPE_CHECKING:
    from collections.abc import Sequence


class Rate(StrEnum):
    """The columns of the main table: the percentage of competitions whose submission is or earns this."""

    SUBMITTED = "submitted"
    VALID = "valid"
    ABOVE_MEDIAN = "above_median"
    """Strictly better than the median team."""
    BRONZE = "bronze"
    """Exactly bronze; the three medals exclude each other."""
    SILVER = "silver"
    GOLD = "gold"
    ANY_MEDAL = "any_medal"

    @property
    def heading(self) -> str:
        """What the column is called."""
        return self.replace("_", " ").capitalize()

    def holds(self, run: RunResult) -> bool:
        """Whether a run counts in this column."""
        if self is Rate.ANY_MEDAL:
            return run.medal is not None
        if self in (Rate.BRONZE, Rate.SILVER, Rate.GOLD):
            return run.medal is Medal(self)
        value: bool = getattr(run, self)
        return value


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Estimate(_Model):
    """A mean over seeds."""

    per_seed: tuple[float, ...]
    mean: float | None
    """None where there is no value."""
    sem: float | None
    """Standard error of the mean; None for fewer than two values."""

    @classmethod
    def over(cls, values: Sequence[float]) -> Estimate:
        mean, sem = statistics.mean(values), statistics.standard_error(values)
        return cls(
            per_seed=tuple(values),
            mean=None if math.isnan(mean) else mean,
            sem=None if math.isnan(sem) else sem,
        )


class AgentSummary(_Model):
    """A row of the main table."""

    agent: str
    rates: dict[Rate, Estimate]
    """In percent of the competitions; `per_seed` belongs to `seeds_counted`."""
    seeds: tuple[int, ...]
    seeds_counted: tuple[int, ...]
    """The seeds that entered the means."""
    rule: Literal["complete seeds", "all seeds"]
    """By which rule: seeds in which every competition is finished; or, where there is no such seed, all that
    have a finished run, with unfinished runs counting as nothing submitted."""
    competitions: tuple[str, ...]
    """The competitions that entered the means."""
    runs: int
    runs_finished: int
    runs_missing: int


class ThresholdsSummary(_Model):
    """The scores that a medal takes."""

    gold: float
    silver: float
    bronze: float
    median: float


class CellSummary(_Model):
    """One agent in one competition."""

    agent: str
    runs: tuple[RunResult, ...]
    """By seed."""
    score: Estimate
    """Over the graded runs whose score is finite; in the unit of the competition's metric."""
    best_score: float | None


class CompetitionSummary(_Model):
    """One competition in one version."""

    competition: str
    counted: bool
    """Whether it entered the main table."""
    lower_is_better: bool | None
    """This and the leaderboard are None as long as no run is graded."""
    leaderboard: Literal["human", "models"] | None
    teams: int | None
    thresholds: ThresholdsSummary | None
    cells: tuple[CellSummary, ...]


class GroupSummary(_Model):
    """Where and how a group ran."""

    run_group: str
    created_at: datetime
    mlebench_version: str
    machine: str
    sandbox: str
    network: Literal["closed", "open"]
    obfuscated: bool
    guarantees: dict[str, bool]


class Summary(_Model):
    """The content of `report.json`."""

    format_version: Literal[1] = 1
    created_at: datetime
    basis: Literal["results", "rehearsal"]
    """`rehearsal` when every finished run was made on synthetic data: nothing here is a result then."""
    runs: int
    runs_finished: int
    runs_counted: int
    """Finished runs on real data."""
    caveats: tuple[str, ...]
    groups: tuple[GroupSummary, ...]
    agents: tuple[AgentSummary, ...]
    competitions: tuple[CompetitionSummary, ...]

    def all_runs(self) -> list[RunResult]:
        """Return the results of all runs, by competition, agent and seed."""
        return [run for competition in self.competitions for cell in competition.cells for run in cell.runs]
