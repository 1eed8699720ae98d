"""Reading grading reports in the field's common format, whoever made them."""

from __future__ import annotations

import fnmatch
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mlebench.errors import ReportError
from mlebench.grading.reports import Outcome
from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from collections.abc import Iterator

PATTERN = "*grading_report*.json"
ROWS = "competition_reports"


class GradedRow(BaseModel):
    """One submission of a report; programs differ in what they write beyond the first seven fields."""

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
    version: str = "v1"
    outcome: Outcome | None = None
    reason: str | None = None
    rank: int | None = None
    teams: int | None = None
    percentile: float | None = None
    normalized_score: float | None = None
    leaderboard: Literal["human", "models"] | None = None
    data: str | None = None

    @property
    def medal(self) -> Medal | None:
        """The best medal that the row claims."""
        for medal in Medal:
            if getattr(self, f"{medal}_medal"):
                return medal
        return None

    @property
    def came_to(self) -> Outcome:
        """The outcome as the row says it, or as its flags do."""
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
            yield "a medal that is said and not named" if self.any_medal else "a medal that is named and not said"
        if self.valid_submission and not self.submission_exists:
            yield "a valid submission that does not exist"
        if (any(medals) or self.above_median) and not self.valid_submission:
            yield "success without a valid submission"


class GradingReport(BaseModel):
    """One report of an agent: its rows, and what its head says of them."""

    model_config = ConfigDict(frozen=True)

    agent: str
    """What the report is of, by the name of its folder or of the caller's choice: the format does not say."""
    name: str
    """What the file is called in tables and sentences."""
    head: dict[str, int]
    rows: tuple[GradedRow, ...]

    def disagreements(self) -> Iterator[tuple[str, int, int]]:
        """Yield the totals of the head that the rows do not confirm: what, said, counted."""
        counted = {
            "total_runs": len(self.rows),
            "total_runs_with_submissions": sum(row.submission_exists for row in self.rows),
            "total_valid_submissions": sum(row.valid_submission for row in self.rows),
            "total_medals": sum(row.medal is not None for row in self.rows),
            "total_gold_medals": sum(row.gold_medal for row in self.rows),
            "total_silver_medals": sum(row.silver_medal for row in self.rows),
            "total_bronze_medals": sum(row.bronze_medal for row in self.rows),
            "total_above_median": sum(row.above_median for row in self.rows),
        }
        for name, number in counted.items():
            said = self.head.get(name, number)
            if said != number:
                yield name.removeprefix("total_").replace("_", " "), said, number


def find_gradings(folder: Path) -> list[Path]:
    """Return the reports in a folder and below, in the order in which people count."""
    files = (Path(place, name) for place, _, names in os.walk(folder) for name in fnmatch.filter(names, PATTERN))
    return sorted(files, key=_counted)


def read_grading(path: Path, agent: str) -> GradingReport:
    """Read a grading report.

    Raises
    ------
    ReportError
        If it cannot be read, or is not whole.
    """
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise ReportError(f"The file {path} cannot be read ({error.strerror}); make it readable.") from error
    except (ValueError, RecursionError) as error:
        raise ReportError(f"The file {path} is not whole JSON ({error}); have it written again.") from error
    rows = content.get(ROWS) if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise ReportError(f"The file {path} is not a grading report, since it has no list {ROWS!r}; name another.")
    head = {name: value for name, value in content.items() if type(value) is int}
    try:
        return GradingReport(agent=agent, name=f"{path.parent.name}/{path.name}", head=head, rows=tuple(rows))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        row, *field = first["loc"][1:]
        where = f"row {int(row) + 1}" + "".join(f", {name}" for name in field)
        raise ReportError(
            f"The file {path} is not a grading report ({where}: {first['msg']}); mend that row."
        ) from error


def _counted(path: Path) -> list[tuple[int, str]]:
    """Return a key by which group2 comes before group10."""
    return [(int(part), part) if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", str(path))]
