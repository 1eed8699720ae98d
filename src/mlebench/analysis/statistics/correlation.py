"""Rank correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.analysis.statistics.intervals import LEVEL, Interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MIN_PAIRS = 5
"""Number of pairs that an interval needs."""


def rank_correlation(first: ArrayLike, second: ArrayLike, level: float = LEVEL) -> tuple[float, Interval]:
    r"""Spearman's rank correlation with a confidence interval.

    .. math:: \tanh\left(\operatorname{artanh} r \pm z \sqrt{(1 + r^2 / 2) / (n - 3)}\right)

    Parameters
    ----------
    first, second : array-like of shape (n_pairs,)
        In any unit; equal values have the mean of their ranks.
    level : float
        Share of such intervals that contain the true correlation, if pairs are independent.

    Returns
    -------
    correlation : float
        In [-1, 1]; NaN if one side does not vary.
    interval : tuple of float
        Low and high; NaN for fewer than five pairs.

    References
    ----------
    D. G. Bonett and T. A. Wright, Sample size requirements for estimating Pearson, Kendall and Spearman correlations,
    Psychometrika 65 (2000) 23-28.

    Examples
    --------
    >>> correlation, (low, high) = rank_correlation([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5])
    >>> round(correlation, 3), round(low, 3), round(high, 3)
    (0.829, -0.127, 0.986)
    """
    from scipy.special import ndtri

    left, right = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    nothing = (float("nan"), float("nan"))
    if left.size < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return float("nan"), nothing
    correlation = float(np.corrcoef(_ranks(left), _ranks(right))[0, 1])
    if left.size < MIN_PAIRS or abs(correlation) >= 1:
        return correlation, nothing if left.size < MIN_PAIRS else (correlation, correlation)
    reach = ndtri((1 + level) / 2) * np.sqrt((1 + correlation**2 / 2) / (left.size - 3))
    middle = np.arctanh(correlation)
    return correlation, (float(np.tanh(middle - reach)), float(np.tanh(middle + reach)))


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ranks from 1; equal values have the mean of their ranks."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks
