"""One symbol for the outcome of a run, for tables without colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.grading.reports import Outcome
from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from mlebench.analysis.model import RunResult


@dataclass(frozen=True, slots=True)
class Mark:
    """A symbol and its meaning."""

    name: str
    """A CSS class."""
    symbol: str
    meaning: str
    style: str
    """A style of the terminal."""


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
_BY_MEDAL = {Medal.GOLD: "gold", Medal.SILVER: "silver", Medal.BRONZE: "bronze"}
_BY_OUTCOME = {Outcome.INVALID: "invalid", Outcome.MISSING: "missing", Outcome.FAILED: "failed"}


def mark_of(run: RunResult) -> Mark:
    """Return the mark of a run."""
    if not run.finished or run.outcome is None:
        name = "unfinished"
    elif run.outcome in _BY_OUTCOME:
        name = _BY_OUTCOME[run.outcome]
    elif run.medal is not None:
        name = _BY_MEDAL[run.medal]
    else:
        name = "above" if run.above_median else "below"
    return _BY_NAME[name]


def marks_in(runs: list[RunResult]) -> list[Mark]:
    """Return the marks that occur, each once, in the order of `MARKS`: a legend."""
    shown = {mark_of(run).name for run in runs}
    return [mark for mark in MARKS if mark.name in shown]
