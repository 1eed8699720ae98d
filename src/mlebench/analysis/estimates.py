"""The columns of the main table, and means over seeds with their errors."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict

from mlebench.analysis import statistics
from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mlebench.analysis.results import RunResult


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


class Estimate(BaseModel):
    """A mean over seeds."""

    model_config = ConfigDict(frozen=True)

    per_seed: tuple[float, ...]
    mean: float | None
    """None where there is no value."""
    sem: float | None
    """Standard error of the mean over seeds; None for fewer than two values."""

    @classmethod
    def over(cls, values: Sequence[float]) -> Self:
        mean, sem = statistics.mean(values), statistics.standard_error(values)
        return cls(per_seed=tuple(values), mean=known(mean), sem=known(sem))


class RateEstimate(Estimate):
    """A percentage of competitions: `per_seed`, `mean` and all errors in percent."""

    pooled_sem: float | None = None
    """Standard error as if all attempts were drawn on their own, as in the paper's tables."""
    interval: tuple[float, float] | None = None
    """Student's t interval of 95 % over seeds: for these competitions, more seeds."""
    clustered_interval: tuple[float, float] | None = None
    """Bootstrap interval of 95 % over competitions and seeds: for other competitions like these; not in breakdowns."""

    @classmethod
    def of(cls, held: NDArray[np.float64], *, clustered: bool = True) -> list[Self]:
        """Estimate several rates, from 0 or 1 for each attempt, of shape (n_rates, n_competitions, n_seeds)."""
        percent = 100 * held
        estimates = []
        intervals = statistics.clustered_intervals(percent) if clustered else [(math.nan, math.nan)] * len(percent)
        for column, interval in zip(percent, intervals, strict=True):
            estimate = cls.over(column.mean(axis=0).tolist() if column.size else [])
            changes = {
                "pooled_sem": known(statistics.pooled_standard_error(column)),
                "interval": _possible(statistics.t_interval(estimate.per_seed)),
                "clustered_interval": _possible(interval),
            }
            estimates.append(estimate.model_copy(update=changes))
        return estimates


def _possible(ends: tuple[float, float]) -> tuple[float, float] | None:
    """Return an interval of a percentage without what no percentage can be."""
    return None if math.isnan(ends[0]) else (max(0.0, ends[0]), min(100.0, ends[1]))


def known(value: float) -> float | None:
    """Return a number, or None for NaN, for which JSON has no word."""
    return None if math.isnan(value) else value


def known_interval(ends: tuple[float, float]) -> tuple[float, float] | None:
    """Return an interval, or None where there is none."""
    return None if math.isnan(ends[0]) else ends
