"""The best of several attempts at a competition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def pass_at_k(attempts: int, successes: int, k: int) -> float:
    r"""Unbiased estimate of the probability that at least one of k attempts succeeds.

    .. math:: 1 - \binom{n - c}{k} \Big/ \binom{n}{k}

    Parameters
    ----------
    attempts : int
        Number of attempts made, n; at least k.
    successes : int
        Number of them that succeeded, c.
    k : int
        Number of attempts in question, at least 1.

    Returns
    -------
    probability : float
        In [0, 1].

    References
    ----------
    M. Chen et al., Evaluating Large Language Models Trained on Code, 2021, arXiv 2107.03374, section 2.1.

    Examples
    --------
    >>> pass_at_k(attempts=4, successes=1, k=2)
    0.5
    """
    if not (1 <= k <= attempts and 0 <= successes <= attempts):
        raise ValueError(
            f"k must be from 1 to attempts, and successes from 0 to attempts: {k=}, {attempts=}, {successes=}"
        )
    if attempts - successes < k:
        return 1.0
    return float(1 - np.prod(1 - k / np.arange(attempts - successes + 1, attempts + 1)))


def best_of_k(values: ArrayLike, k: int) -> float:
    r"""Expected maximum of k values that are drawn from the given ones without replacement.

    .. math:: \binom{n}{k}^{-1} \sum_{i=k}^{n} \binom{i - 1}{k - 1} x_{(i)}

    Parameters
    ----------
    values : array-like of shape (n_attempts,)
        One value per attempt, at least k of them, in any unit; more is better.
    k : int
        Number of attempts in question, at least 1.

    Returns
    -------
    best : float
        In the unit of `values`.

    Examples
    --------
    >>> best_of_k([1.0, 2.0, 4.0], k=2)
    3.333333333333333
    """
    array = np.sort(np.asarray(values, dtype=np.float64))
    if array.ndim != 1 or not 1 <= k <= array.size:
        raise ValueError(f"k must be from 1 to the number of values: {k=}, shape {array.shape}")
    below = np.arange(k, array.size)  # number of smaller values, for each possible maximum but the smallest
    # The share of draws with the i-th smallest value as maximum, from one i to the next.
    shares = np.cumprod(np.concatenate([[1.0], below / (below - k + 1)]))
    return float((shares / shares.sum()) @ array[k - 1 :])
