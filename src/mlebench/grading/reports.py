"""The results of grading: verdicts, and reports in the format that other programs read."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, SerializerFunctionWrapHandler, model_serializer

from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from collections.abc import Sequence


class Outcome(StrEnum):
    """The outcome of grading a submission."""

    GRADED = "graded"
    INVALID = "invalid"
    """The submission is refused; the reason says how to fix it."""
    MISSING = "missing"
    FAILED = "failed"
    """mlebench or the task's grade function failed; the reason holds the last line of the traceback."""


def flat(text: str | None) -> str | None:
    """Return text in one line without braces: clients read reasons by the line, and find reports by their braces."""
    return " ".join(text.split()).replace("{", "(").replace("}", ")") if isinstance(text, str) else text


class Verdict(BaseModel):
    """Everything that is known about one graded submission.

    Score, medal, rank, percentile and normalized score are None unless the outcome is `graded`. A graded score may be
    NaN or infinite; NaN earns no medal and no rank.
    """

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants")

    format_version: Literal[1] = 1
    competition_id: str
    version: str
    outcome: Outcome
    reason: Annotated[str | None, BeforeValidator(flat)] = None
    score: float | None
    unrounded_score: float | None
    medal: Medal | None
    above_median: bool
    rank: int | None
    """Place among the teams of the leaderboard, 1 being the best."""
    teams: int
    percentile: float | None
    """Percentage of teams whose score is not better, in (0, 100]."""
    normalized_score: float | None
    """0 at the score of the sample submission, 1 at the gold threshold; None where the first is unknown."""
    gold_threshold: float
    silver_threshold: float
    bronze_threshold: float
    median_threshold: float
    lower_is_better: bool
    leaderboard: Literal["human", "models"]
    """Who is on the leaderboard."""
    data: str
    """Where the prepared data came from: `kaggle`, `embedded`, `rehearsal`, `unverified` or `unknown`."""
    submission_path: str
    submission_sha256: str | None
    graded_at: datetime
    submission_exists: bool | None = None
    """Whether there is a file: a regular one, or a link to one. None in verdicts of earlier versions."""
    data_version: str | None = None
    """The version of the task whose answers the submission was graded against, if that is not `version`."""

    @model_serializer(mode="wrap")
    def _as_written(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out fields that verdicts of earlier versions lack, so that these keep their bytes."""
        fields: dict[str, Any] = serialize(self)
        for name in ("submission_exists", "data_version"):
            if getattr(self, name) is None:
                fields.pop(name, None)
        return fields


@dataclass(frozen=True)
class CompetitionReport:
    """A verdict in the field's common format: sixteen fields with fixed names in a fixed order.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> report = CompetitionReport(
    ...     "demo-wine", 0.9, 0.98, 0.97, 0.95, 0.9, False, False, False, False, False, True, True, False,
    ...     datetime(2024, 1, 1, tzinfo=UTC), "submission.csv",
    ... )
    >>> CompetitionReport.from_dict(report.to_dict()) == report
    True
    """

    competition_id: str
    score: float | None
    gold_threshold: float
    silver_threshold: float
    bronze_threshold: float
    median_threshold: float
    any_medal: bool
    gold_medal: bool
    silver_medal: bool
    bronze_medal: bool
    above_median: bool
    submission_exists: bool
    valid_submission: bool
    is_lower_better: bool
    created_at: datetime
    submission_path: str

    @classmethod
    def from_verdict(cls, verdict: Verdict) -> CompetitionReport:
        """Return the part of a verdict that the common format holds."""
        return cls(
            competition_id=verdict.competition_id,
            score=verdict.score,
            gold_threshold=verdict.gold_threshold,
            silver_threshold=verdict.silver_threshold,
            bronze_threshold=verdict.bronze_threshold,
            median_threshold=verdict.median_threshold,
            any_medal=verdict.medal is not None,
            gold_medal=verdict.medal is Medal.GOLD,
            silver_medal=verdict.medal is Medal.SILVER,
            bronze_medal=verdict.medal is Medal.BRONZE,
            above_median=verdict.above_median,
            submission_exists=verdict.outcome is not Outcome.MISSING
            if verdict.submission_exists is None
            else verdict.submission_exists,
            valid_submission=verdict.outcome is Outcome.GRADED,
            is_lower_better=verdict.lower_is_better,
            created_at=verdict.graded_at,
            submission_path=verdict.submission_path,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> CompetitionReport:
        """Rebuild a report from the result of `to_dict`; other keys are ignored. KeyError if one is missing."""
        values = {field.name: data[field.name] for field in dataclasses.fields(cls)}
        if isinstance(values["created_at"], str):
            values["created_at"] = datetime.fromisoformat(values["created_at"])
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields in order as plain values: bool, float, str or None; the time as ISO text."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        for field in dataclasses.fields(self):  # callers may pass NumPy values
            match field.type:
                case "bool":
                    values[field.name] = bool(values[field.name])
                case "float" | "float | None" if values[field.name] is not None:
                    values[field.name] = float(values[field.name])
                case "str":
                    values[field.name] = str(values[field.name])
        values["created_at"] = self.created_at.isoformat()
        return values


OWN_FIELDS = (
    "version",
    "outcome",
    "reason",
    "rank",
    "teams",
    "percentile",
    "normalized_score",
    "leaderboard",
    "data",
)
"""Fields of our report files beyond the sixteen common ones."""


def report_row(verdict: Verdict) -> dict[str, Any]:
    """Return the flat JSON object of one submission: the common sixteen fields first, then our own."""
    own = {name: getattr(verdict, name) for name in OWN_FIELDS}
    return CompetitionReport.from_verdict(verdict).to_dict() | {
        name: str(value) if isinstance(value, StrEnum) else value for name, value in own.items()
    }


def aggregate_reports(reports: Sequence[CompetitionReport]) -> dict[str, Any]:
    """Return the content of a grading report: totals, then the reports in the order given."""
    return totals([report.to_dict() for report in reports])


def totals(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the eight totals over the rows of a grading report, with the rows as `competition_reports`."""

    def count(name: str) -> int:
        return sum(bool(row[name]) for row in rows)

    return {
        "total_runs": len(rows),
        "total_runs_with_submissions": count("submission_exists"),
        "total_valid_submissions": count("valid_submission"),
        "total_medals": count("any_medal"),
        "total_gold_medals": count("gold_medal"),
        "total_silver_medals": count("silver_medal"),
        "total_bronze_medals": count("bronze_medal"),
        "total_above_median": count("above_median"),
        "competition_reports": list(rows),
    }
