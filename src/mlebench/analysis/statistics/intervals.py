"""Intervals in which the truth lies, as far as seeds and competitions tell."""

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

    With three seeds it is 4.3 standard errors to each side, not 1.96: so little is known of the spread.

    Parameters
    ----------
    values : array-like of shape (n_seeds,)
        One value a seed, in any unit.
    level : float
        Share of such intervals that hold the truth, if seeds are independent and near normal.

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


def clustered_interval(values: ArrayLike, level: float = LEVEL, resamples: int = RESAMPLES) -> Interval:
    r"""Interval of a mean over competitions and seeds, for competitions that are themselves a sample.

    A two-stage bootstrap with shrinkage: means of competitions and deviations of seeds are drawn anew, with
    replacement. Means of competitions vary from seed to seed as well, so they are drawn towards the overall mean first,
    by as much as makes the two stages together vary as the mean does; without that, the seeds would count twice.

    Parameters
    ----------
    values : array-like of shape (n_competitions, n_seeds)
        One value an attempt, in any unit.
    level : float
        Share of such intervals that hold the truth, if competitions are independent.
    resamples : int
        Means that are drawn; the same input always gets the same interval.

    Returns
    -------
    low, high : float
        In the unit of `values`; NaN for fewer than two competitions, or if a value is not finite.

    References
    ----------
    A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application, 1997, section 3.8; E. S.-W. Ng, R. Grieve
    and J. R. Carpenter, Two-stage nonparametric bootstrap sampling with shrinkage correction for clustered data, The
    Stata Journal 13 (2013) 141-164.

    Examples
    --------
    >>> low, high = clustered_interval([[1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 1, 0]])
    >>> 0 <= low < 0.5 < high <= 1
    True
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(f"values must have shape (n_competitions, n_seeds), and have {array.shape}")
    competitions, seeds = array.shape
    if competitions < 2 or seeds < 1 or not np.isfinite(array).all():
        return _NONE
    means = array.mean(axis=1)
    middle, deviations = means.mean(), array - means[:, np.newaxis]
    between, within = ((means - middle) ** 2).sum(), (deviations**2).sum()
    # A bootstrap draws from values that vary less than their source, by (n - 1) / n.
    spread = competitions / (competitions - 1)
    kept = 1.0
    if seeds > 1:
        deviations = deviations * np.sqrt(seeds / (seeds - 1))
        noise = within / (competitions * (seeds - 1)) / seeds  # variance of a competition's mean over its seeds
        variance = between / (competitions - 1)
        kept = np.sqrt(max(0.0, 1 - noise / variance)) if variance > 0 else 0.0
    drawn = _weights(competitions, resamples, 1) @ (np.sqrt(spread) * kept * (means - middle))
    drawn += _weights(array.size, resamples, 2) @ deviations.ravel()
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(middle + low), float(middle + high)


@functools.lru_cache(maxsize=64)
def _t_quantile(freedom: int, share: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))


@functools.lru_cache(maxsize=16)
def _weights(size: int, resamples: int, seed: int) -> NDArray[np.float64]:
    """Return how much each of so many values weighs in each resampled mean, of shape (resamples, size)."""
    drawn = np.random.default_rng(seed).integers(0, size, size=(resamples, size), dtype=np.int32)
    drawn += np.arange(resamples, dtype=np.int32)[:, np.newaxis] * size
    return np.bincount(drawn.ravel(), minlength=resamples * size).reshape(resamples, size) / size
