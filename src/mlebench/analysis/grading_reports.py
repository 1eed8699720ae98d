"""Reading grading reports in the field's common format, from any harness."""

from __future__ import annotations

import fnmatch
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mlebench.errors import ReportError
from mlebench.grading.reports import Outcome, totals
from mlebench.tasks.medals import Medal
from mlebench.tasks.ref import TaskRef, Version

if TYPE_CHECKING:
    from collections.abc import Iterator

PATTERN = "*grading_report*.json"
ROWS = "competition_reports"


class GradedRow(BaseModel):
    """One submission of a report; harnesses differ in what they write beyond the first seven fields."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    competition_id: str = Field(min_length=1)
    submission_exists: bool
    valid_submission: bool
    above_median: bool
    gold_medal: bool
    silver_medal: bool
    bronze_medal: bool
    any_medal: bool | None = None
    score: float | None = None
    gold_threshold: float | None = None
    silver_threshold: float | None = None
    bronze_threshold: float | None = None
    median_threshold: float | None = None
    is_lower_better: bool | None = None
    version: Version = Version.V1
    outcome: Outcome | None = None
    reason: str | None = None
    rank: int | None = None
    teams: int | None = None
    percentile: float | None = None
    normalized_score: float | None = None
    leaderboard: Literal["human", "models"] | None = None
    data: str | None = None

    @property
    def competition(self) -> str:
        """The label of the task."""
        return TaskRef(self.competition_id, self.version).label

    @property
    def medal(self) -> Medal | None:
        """The best medal that the row claims."""
        return next((medal for medal in Medal if getattr(self, f"{medal}_medal")), None)

    @property
    def final_outcome(self) -> Outcome:
        """The outcome: the row's own, or the one that its flags imply."""
        if self.outcome is not None:
            return self.outcome
        if not self.submission_exists:
            return Outcome.MISSING
        return Outcome.GRADED if self.valid_submission else Outcome.INVALID

    def contradictions(self) -> Iterator[str]:
        """Yield how the row contradicts itself."""
        medals = [self.gold_medal, self.silver_medal, self.bronze_medal]
        if sum(medals) > 1:
            yield "several medals"
        if self.any_medal is not None and self.any_medal != any(medals):
            yield "any_medal without a medal" if self.any_medal else "a medal without any_medal"
        if self.valid_submission and not self.submission_exists:
            yield "a valid submission that does not exist"
        if (any(medals) or self.above_median) and not self.valid_submission:
            yield "success without a valid submission"


class Disagreement(NamedTuple):
    """A total of a report that its rows contradict."""

    what: str
    claimed: int
    counted: int


class GradingReport(BaseModel):
    """One grading report: its rows, and the totals that it claims."""

    model_config = ConfigDict(frozen=True)

    agent: str
    """Named after the file's folder or by the caller, since the format names no agent."""
    name: str
    """The file, as tables and sentences name it."""
    totals: dict[str, int]
    """The totals at the head of the file."""
    rows: tuple[GradedRow, ...]

    def disagreements(self) -> Iterator[Disagreement]:
        """Yield the totals that the rows contradict."""
        rows = [row.model_dump() | {"any_medal": row.medal is not None} for row in self.rows]
        counted = {name: number for name, number in totals(rows).items() if name != ROWS}
        for name, number in counted.items():
            claimed = self.totals.get(name, number)
            if claimed != number:
                yield Disagreement(name.removeprefix("total_").replace("_", " "), claimed, number)


def find_grading_reports(folder: Path) -> list[Path]:
    """Return the grading reports in a folder and its subfolders, in natural order: `group2` before `group10`."""
    files = (Path(place, name) for place, _, names in os.walk(folder) for name in fnmatch.filter(names, PATTERN))
    return sorted(files, key=_natural_order)


def read_grading_report(path: Path, agent: str) -> GradingReport:
    """Read a grading report.

    Raises
    ------
    ReportError
        The file cannot be read, or is not a complete grading report.
    """
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise ReportError(f"Cannot read {path} ({error.strerror}); make it readable.") from error
    except (ValueError, RecursionError) as error:
        raise ReportError(f"The file {path} is not valid JSON ({error}); write it again.") from error
    rows = content.get(ROWS) if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise ReportError(f"The file {path} is not a grading report: it has no list {ROWS!r}.")
    claimed = {name: value for name, value in content.items() if type(value) is int}
    try:
        return GradingReport(agent=agent, name=f"{path.parent.name}/{path.name}", totals=claimed, rows=tuple(rows))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        row, *field = first["loc"][1:]
        where = f"row {int(row) + 1}" + "".join(f", {name}" for name in field)
        raise ReportError(
            f"The file {path} is not a grading report ({where}: {first['msg']}); fix that row."
        ) from error


def _natural_order(path: Path) -> list[tuple[int, str]]:
    return [(int(part), part) if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", str(path))]
