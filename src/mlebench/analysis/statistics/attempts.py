"""What the best of several attempts at a competition brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def pass_at_k(attempts: int, successes: int, k: int) -> float:
    r"""Chance that at least one of k attempts succeeds, estimated without bias from n of which c did.

    .. math:: 1 - \binom{n - c}{k} \Big/ \binom{n}{k}

    Parameters
    ----------
    attempts : int
        Attempts that were made, n, at least k.
    successes : int
        Those that succeeded, c.
    k : int
        Attempts that one would have, at least 1.

    Returns
    -------
    chance : float
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
        raise ValueError(f"k must be from 1 to the attempts, and successes from 0: {k=}, {attempts=}, {successes=}")
    if attempts - successes < k:
        return 1.0
    return float(1 - np.prod(1 - k / np.arange(attempts - successes + 1, attempts + 1)))


def best_of_k(values: ArrayLike, k: int) -> float:
    r"""Expected best of k values that are drawn from those given, without replacement.

    .. math:: \binom{n}{k}^{-1} \sum_{i=k}^{n} \binom{i - 1}{k - 1} x_{(i)}

    Parameters
    ----------
    values : array-like of shape (n_attempts,)
        One value an attempt, in any unit, more being better; at least k of them.
    k : int
        Attempts that one would have, at least 1.

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
    below = np.arange(k, array.size)  # values below the best one, for every best but the smallest possible
    # The share of draws whose best is the i-th smallest, from one to the next.
    shares = np.cumprod(np.concatenate([[1.0], below / (below - k + 1)]))
    return float((shares / shares.sum()) @ array[k - 1 :])
