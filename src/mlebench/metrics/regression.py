"""Metrics for numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


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
