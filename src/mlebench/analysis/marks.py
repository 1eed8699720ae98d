"""One letter for how a run came out, for tables where colour may be missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.grading.reports import Outcome
from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from mlebench.analysis.results import RunResult


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign and what it says."""

    name: str
    """Fit for a CSS class."""
    sign: str
    meaning: str
    style: str
    """How the terminal shows it."""


MARKS = (
    Mark("gold", "G", "gold", "bold yellow"),
    Mark("silver", "S", "silver", "bold"),
    Mark("bronze", "B", "bronze", "bold dark_orange3"),
    Mark("above", "+", "above median", "green"),
    Mark("below", "·", "not above median", "default"),
    Mark("invalid", "✗", "invalid submission", "red"),
    Mark("missing", "–", "no submission", "red"),
    Mark("failed", "!", "grading failed", "bold magenta"),
    Mark("unfinished", "…", "not finished", "dim"),
)

_BY_NAME = {mark.name: mark for mark in MARKS}
_OF_MEDAL = {Medal.GOLD: "gold", Medal.SILVER: "silver", Medal.BRONZE: "bronze"}
_OF_OUTCOME = {Outcome.INVALID: "invalid", Outcome.MISSING: "missing", Outcome.FAILED: "failed"}


def mark_of(run: RunResult) -> Mark:
    """Return the mark of a run."""
    if not run.finished or run.outcome is None:
        name = "unfinished"
    elif run.outcome in _OF_OUTCOME:
        name = _OF_OUTCOME[run.outcome]
    elif run.medal is not None:
        name = _OF_MEDAL[run.medal]
    else:
        name = "above" if run.above_median else "below"
    return _BY_NAME[name]
