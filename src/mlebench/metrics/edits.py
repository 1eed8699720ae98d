"""Edit distances of pairs of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


def levenshtein_error(y_true: Iterable[object], y_pred: Iterable[object]) -> float:
    """Mean over samples of the Levenshtein distance of two texts.

    The distance is the smallest number of characters (Unicode code points) to insert, delete or replace that turns one
    text into the other (Levenshtein, 1966).

    Parameters
    ----------
    y_true, y_pred : iterable of str of length n_samples
        Texts; other values (a number, NaN for a missing cell) are converted by `str`.

    Returns
    -------
    float
        In characters, from 0, lower is better; NaN for no samples.

    Examples
    --------
    >>> levenshtein_error(["kitten", "a b"], ["sitting", "a b"])
    1.5
    """
    distances = levenshtein_distances(y_true, y_pred)
    return float(np.mean(distances)) if len(distances) else float("nan")


def levenshtein_distances(first: Iterable[object], second: Iterable[object]) -> NDArray[np.int64]:
    """Return the Levenshtein distance of each pair of texts; ValueError if the lengths differ.

    >>> levenshtein_distances(["kitten", "a"], ["sitting", ""]).tolist()
    [3, 1]
    """
    from rapidfuzz.distance.Levenshtein import distance

    one, other = (list(map(str, texts)) for texts in (first, second))
    if len(one) != len(other):
        raise ValueError(f"There are {len(one)} texts on one side and {len(other)} on the other.")
    return np.fromiter(map(distance, one, other), dtype=np.int64, count=len(one))
