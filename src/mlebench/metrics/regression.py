"""Metrics for numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def root_mean_squared_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Square root of the mean squared difference.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_outputs)
        Numbers; several outputs are averaged after the root.

    Returns
    -------
    float
        In the unit of `y_true`, from 0, lower is better; NaN for no samples.

    Examples
    --------
    >>> root_mean_squared_error([0.0, 2.0], [0.0, 0.0]) == 2**0.5
    True
    """
    difference = np.asarray(y_true, dtype=float) - np.asarray(y_pred, dtype=float)
    if not difference.size:
        return float("nan")
    return float(np.mean(np.sqrt(np.mean(difference**2, axis=0))))


def root_mean_squared_log_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Square root of the mean squared difference of ln(1 + value).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_outputs)
        Numbers above -1; several outputs are averaged after the root.

    Returns
    -------
    float
        From 0, lower is better; infinity for a value of -1; NaN for one below it, and for no samples.

    Examples
    --------
    >>> round(root_mean_squared_log_error([0.0, 1.0], [0.0, 3.0]), 6)
    0.490129
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return root_mean_squared_error(np.log1p(np.asarray(y_true, float)), np.log1p(np.asarray(y_pred, float)))


def mean_absolute_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean of the absolute differences.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_outputs)
        Numbers.

    Returns
    -------
    float
        In the unit of `y_true`, from 0, lower is better; NaN for no samples.

    Examples
    --------
    >>> mean_absolute_error([0.0, 2.0], [1.0, 2.0])
    0.5
    """
    difference = np.abs(np.asarray(y_true, dtype=float) - np.asarray(y_pred, dtype=float))
    return float(np.mean(difference)) if difference.size else float("nan")


def pearson_correlation_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Linear correlation: the covariance of two variables over the product of their standard deviations.

    Also called Pearson's r (Pearson, 1895). Shifting or scaling a variable by a positive factor changes nothing.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Numbers.

    Returns
    -------
    float
        In [-1, 1], higher is better; NaN where a variable is constant, missing or infinite, and for no samples.

    Examples
    --------
    >>> round(pearson_correlation_score([1.0, 2.0, 3.0], [1.0, 2.0, 2.0]), 6)
    0.866025
    """
    truth, prediction = _standardized(y_true), _standardized(y_pred)
    return float(np.clip(truth @ prediction, -1, 1)) if truth.size else float("nan")


def _standardized(values: ArrayLike) -> NDArray[np.float64]:
    """Return deviations from the mean as a vector of length one; NaN for a constant or for infinite values."""
    numbers = np.asarray(values, dtype=float)
    if not numbers.size or (numbers == numbers[0]).all():
        return np.full(numbers.shape, np.nan)
    with np.errstate(invalid="ignore", over="ignore"):
        deviation = numbers - numbers.mean()
        deviation /= np.abs(deviation).max()  # so that squares neither overflow nor vanish
        result: NDArray[np.float64] = deviation / np.sqrt(deviation @ deviation)
    return result
