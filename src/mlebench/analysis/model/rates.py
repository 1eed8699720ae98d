"""The columns of the main table, and means with their errors."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from mlebench.analysis.model.base import Interval, Model
from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from mlebench.analysis.model.runs import RunResult


class Rate(StrEnum):
    """A column of the main table: the percentage of competitions in which a run's submission is or earns this."""

    SUBMITTED = "submitted"
    VALID = "valid"
    ABOVE_MEDIAN = "above_median"
    """Strictly better than the median team."""
    BRONZE = "bronze"
    """Exactly bronze: a run has at most one medal."""
    SILVER = "silver"
    GOLD = "gold"
    ANY_MEDAL = "any_medal"

    @property
    def heading(self) -> str:
        """The column's heading."""
        return self.replace("_", " ").capitalize()

    def holds(self, run: RunResult) -> bool:
        """Return whether a run counts in this column."""
        if self is Rate.ANY_MEDAL:
            return run.medal is not None
        if self in (Rate.BRONZE, Rate.SILVER, Rate.GOLD):
            return run.medal is Medal(self)
        value: bool = getattr(run, self)
        return value


class Estimate(Model):
    """A mean over seeds."""

    per_seed: tuple[float, ...]
    mean: float | None
    """None without values."""
    sem: float | None
    """Standard error of the mean over seeds; None for fewer than two values."""


class RateEstimate(Estimate):
    """A percentage of competitions; all values and errors are in percent."""

    pooled_sem: float | None = None
    """Standard error if all attempts were independent, as in the tables of the paper."""
    interval: Interval | None = None
    """Student's t interval of 95 % over seeds: more seeds in the same competitions."""
    clustered_interval: Interval | None = None
    """Bootstrap interval of 95 % over competitions and seeds: other, similar competitions; not in breakdowns."""
