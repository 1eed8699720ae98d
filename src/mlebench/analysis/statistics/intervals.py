"""Confidence intervals over seeds and over competitions."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from mlebench.analysis.statistics.means import mean, standard_error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
RESAMPLES = 2000

Interval = tuple[float, float]
_NONE = (float("nan"), float("nan"))


def t_interval(values: ArrayLike, level: float = LEVEL) -> Interval:
    r"""Student's t interval of a mean over seeds.

    .. math:: \bar{x} \pm t_{n - 1, (1 + \mathrm{level}) / 2} \; s / \sqrt{n}

    With three seeds it extends 4.3 standard errors to each side, not 1.96, because the spread is poorly known.

    Parameters
    ----------
    values : array-like of shape (n_seeds,)
        One value per seed, in any unit.
    level : float
        Share of such intervals that contain the true mean, if seeds are independent and nearly normal.

    Returns
    -------
    low, high : float
        In the unit of `values`; NaN for fewer than two values, or if one of them is not finite.

    Examples
    --------
    >>> low, high = t_interval([40.0, 44.0, 45.0])
    >>> round(low, 2), round(high, 2)
    (36.43, 49.57)
    """
    error = standard_error(values)
    if np.isnan(error):
        return _NONE
    middle, reach = mean(values), _t_quantile(np.size(values) - 1, (1 + level) / 2) * error
    return middle - reach, middle + reach


def t_band(values: ArrayLike, level: float = LEVEL) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Student's t intervals of many means over seeds, such as the points of a curve.

    Parameters
    ----------
    values : array-like of shape (n_seeds, n_points)
        In any unit.
    level : float
        Share of such intervals that contain the true mean, at each point; a whole curve is inside less often.

    Returns
    -------
    low, high : arrays of shape (n_points,)
        In the unit of `values`; NaN for fewer than two seeds.

    Examples
    --------
    >>> low, high = t_band([[40.0, 1.0], [44.0, 1.0], [45.0, 1.0]])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([36.43, 1.0], [49.57, 1.0])
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(f"values must have shape (n_seeds, n_points), not {array.shape}")
    seeds, points = array.shape
    if seeds < 2:
        return np.full(points, np.nan), np.full(points, np.nan)
    # Differences from the first seed make the error of equal values exactly 0.
    error = (array - array[0]).std(axis=0, ddof=1) / np.sqrt(seeds)
    middle, reach = array.mean(axis=0), _t_quantile(seeds - 1, (1 + level) / 2) * error
    return middle - reach, middle + reach


def clustered_intervals(values: ArrayLike, level: float = LEVEL, resamples: int = RESAMPLES) -> list[Interval]:
    r"""Intervals of means over competitions and seeds, if the competitions are themselves a sample.

    A two-stage bootstrap with shrinkage: means of competitions and deviations of seeds are resampled with replacement.
    Since means of competitions also vary from seed to seed, they are first shrunk towards the overall mean, so that
    both stages together vary as the mean does. Without that, seeds would count twice. Several quantities of the same
    attempts take little more time than one.

    Parameters
    ----------
    values : array-like of shape (n_quantities, n_competitions, n_seeds)
        One value per quantity and attempt, in any unit.
    level : float
        Share of such intervals that contain the true mean, if competitions are independent.
    resamples : int
        Number of resampled means. The same input always has the same interval.

    Returns
    -------
    intervals : list of tuple
        Low and high of each quantity, in the unit of `values`; NaN for fewer than two competitions, or if a value is
        not finite.

    References
    ----------
    A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application, 1997, section 3.8; E. S.-W. Ng, R. Grieve
    and J. R. Carpenter, Two-stage nonparametric bootstrap sampling with shrinkage correction for clustered data, The
    Stata Journal 13 (2013) 141-164.

    Examples
    --------
    >>> [(low, high)] = clustered_intervals([[[1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 1, 0]]])
    >>> 0 <= low < 0.5 < high <= 1
    True
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 3:
        raise ValueError(f"values must have shape (n_quantities, n_competitions, n_seeds), not {array.shape}")
    quantities, competitions, seeds = array.shape
    if competitions < 2 or seeds < 1:
        return [_NONE] * quantities
    means = array.mean(axis=2)
    middle = means.mean(axis=1)
    apart, deviations = means - middle[:, np.newaxis], array - means[:, :, np.newaxis]
    # A bootstrap draws from values that vary less than their source, by (n - 1) / n.
    spread = competitions / (competitions - 1)
    kept = np.ones(quantities)
    if seeds > 1:
        noise = (deviations**2).sum(axis=(1, 2)) / (competitions * (seeds - 1)) / seeds  # of a mean over seeds
        variance = (apart**2).sum(axis=1) / (competitions - 1)
        deviations = deviations * np.sqrt(seeds / (seeds - 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            kept = np.where(variance > 0, np.sqrt(np.maximum(0.0, 1 - noise / variance)), 0.0)
    # The weights are large, so they are read once for all quantities.
    resampled = _weights(competitions, resamples, 1) @ (np.sqrt(spread) * kept[:, np.newaxis] * apart).T
    resampled += _weights(competitions * seeds, resamples, 2) @ deviations.reshape(quantities, -1).T
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2], axis=0) + middle
    return [(float(low[i]), float(high[i])) if np.isfinite(array[i]).all() else _NONE for i in range(quantities)]


@functools.lru_cache(maxsize=64)
def _t_quantile(freedom: int, share: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))


@functools.lru_cache(maxsize=16)
def _weights(size: int, resamples: int, seed: int) -> NDArray[np.float64]:
    """Return the weight of each value in each resampled mean, of shape (resamples, size)."""
    drawn = np.random.default_rng(seed).integers(0, size, size=(resamples, size), dtype=np.int32)
    drawn += np.arange(resamples, dtype=np.int32)[:, np.newaxis] * size
    return np.bincount(drawn.ravel(), minlength=resamples * size).reshape(resamples, size) / size
