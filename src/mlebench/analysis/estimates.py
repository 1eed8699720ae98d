"""Means over seeds, with their errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mlebench.analysis import statistics
from mlebench.analysis.model import Estimate, RateEstimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mlebench.analysis.model.base import Interval


def estimate_mean(values: Sequence[float]) -> Estimate:
    """Estimate a mean from one value per seed, in any unit."""
    mean, sem = statistics.mean(values), statistics.standard_error(values)
    return Estimate(per_seed=tuple(values), mean=nan_to_none(mean), sem=nan_to_none(sem))


def estimate_rates(successes: NDArray[np.float64], *, clustered: bool = True) -> list[RateEstimate]:
    """Estimate several rates of the same attempts.

    Parameters
    ----------
    successes : array of shape (n_rates, n_competitions, n_seeds)
        1 if the rate holds for the attempt, else 0.
    clustered : bool
        Whether to compute the interval over competitions; it takes most of the time.

    Returns
    -------
    list of RateEstimate
        In percent.
    """
    percent = 100 * successes
    nothing = [(math.nan, math.nan)] * len(percent)
    intervals = statistics.clustered_intervals(percent) if clustered else nothing
    return [_estimate_rate(attempts, interval) for attempts, interval in zip(percent, intervals, strict=True)]


def _estimate_rate(attempts: NDArray[np.float64], clustered: Interval) -> RateEstimate:
    estimate = estimate_mean(attempts.mean(axis=0).tolist() if attempts.size else [])
    return RateEstimate(
        **dict(estimate),
        pooled_sem=nan_to_none(statistics.pooled_standard_error(attempts)),
        interval=_clip_percentages(statistics.t_interval(estimate.per_seed)),
        clustered_interval=_clip_percentages(clustered),
    )


def _clip_percentages(interval: Interval) -> Interval | None:
    low, high = interval
    return None if math.isnan(low) else (max(0.0, low), min(100.0, high))


def nan_to_none(value: float) -> float | None:
    """Return a number, or None for NaN, which JSON cannot represent."""
    return None if math.isnan(value) else value


def interval_or_none(interval: Interval) -> Interval | None:
    """Return an interval, or None if its ends are NaN."""
    return None if math.isnan(interval[0]) else interval
