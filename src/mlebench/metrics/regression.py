"""Metrics for numbers, equal to those of scikit-learn and SciPy to the last bit."""

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
    return float(np.mean(np.sqrt(_means(_differences(y_true, y_pred) ** 2))))


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
    return float(np.mean(_means(np.abs(_differences(y_true, y_pred)))))


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
    if not truth.size:
        return float("nan")
    correlation = float(np.clip(truth @ prediction, -1, 1))
    return float(np.round(correlation)) if len(truth) == 2 else correlation


def _differences(y_true: ArrayLike, y_pred: ArrayLike) -> NDArray[np.float64]:
    """Return differences as a table of shape (n_samples, n_outputs)."""
    difference: NDArray[np.float64] = np.asarray(y_true, dtype=float) - np.asarray(y_pred, dtype=float)
    return difference.reshape(len(difference), -1) if difference.size else np.empty((0, 1))


def _means(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each output; NaN for no samples."""
    return table.mean(axis=0) if len(table) else np.full(table.shape[1], np.nan)


def _standardized(values: ArrayLike) -> NDArray[np.float64]:
    """Return deviations from the mean as a vector of length one; NaN for a constant or for infinite values."""
    numbers = np.asarray(values, dtype=float)
    if not numbers.size or (numbers == numbers[0]).all():
        return np.full(numbers.shape, np.nan)
    with np.errstate(invalid="ignore", over="ignore"):
        deviation = numbers - numbers.mean()
        largest = np.abs(deviation).max()  # so that squares neither overflow nor vanish
        scaled = deviation / largest
        result: NDArray[np.float64] = deviation / (largest * np.sqrt((scaled * scaled).sum()))
    return result
