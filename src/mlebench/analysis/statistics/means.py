"""Means and their standard errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def mean(values: ArrayLike) -> float:
    r"""Arithmetic mean.

    .. math:: \bar{x} = \frac{1}{n} \sum_{i=1}^{n} x_i

    Parameters
    ----------
    values : array-like of shape (n_seeds,)
        One value per seed, in any unit.

    Returns
    -------
    mean : float
        In the unit of `values`; NaN without values, or if one is NaN.

    Examples
    --------
    >>> mean([10.0, 20.0, 60.0])
    30.0
    """
    array = _column(values)
    with np.errstate(over="ignore", invalid="ignore"):  # infinities of both signs have no mean
        return float(array.mean()) if array.size else float("nan")


def standard_error(values: ArrayLike) -> float:
    r"""Standard error of the mean, from the sample standard deviation.

    .. math:: \mathrm{SEM} = \frac{s}{\sqrt{n}}, \quad s^2 = \frac{1}{n - 1} \sum_{i=1}^{n} (x_i - \bar{x})^2

    With the usual three seeds, the error itself is uncertain by half its size: it shows a scale and is not a test.

    Parameters
    ----------
    values : array-like of shape (n_seeds,)
        One value per seed, in any unit.

    Returns
    -------
    sem : float
        In the unit of `values`; NaN for fewer than two values, or if one of them is not finite.

    Examples
    --------
    >>> standard_error([1.0, 2.0, 3.0, 4.0, 5.0])
    0.7071067811865476
    >>> standard_error([4.0])
    nan
    """
    array = _column(values)
    if array.size < 2 or not np.isfinite(array).all():
        return float("nan")
    with np.errstate(over="ignore", invalid="ignore"):
        # Differences from the first value make the error of equal values exactly 0.
        return float((array - array[0]).std(ddof=1) / np.sqrt(array.size))


def pooled_standard_error(values: ArrayLike) -> float:
    r"""Standard error of the mean of all attempts, if they were independent.

    .. math:: \mathrm{SEM} = \sqrt{\frac{1}{N (N - 1)} \sum_{i=1}^{N} (x_i - \bar{x})^2}

    The tables of the paper on MLE-bench (arXiv 2410.07095) have this error, with 0 or 100 for each attempt. It treats
    attempts at the same competition as independent, which they are not.

    Parameters
    ----------
    values : array-like of any shape
        One value per attempt, in any unit.

    Returns
    -------
    sem : float
        In the unit of `values`; NaN for fewer than two values, or if one of them is not finite.

    Examples
    --------
    203 medals in 1200 attempts:

    >>> round(pooled_standard_error([100.0] * 203 + [0.0] * 997), 2)
    1.08
    """
    return standard_error(np.asarray(values, dtype=np.float64).ravel())


def _column(values: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"values must have shape (n_seeds,), not {array.shape}")
    return array
