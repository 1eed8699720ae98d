"""Metrics for texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.metrics.words import split_words

if TYPE_CHECKING:
    from collections.abc import Iterable


def exact_match_score(y_true: Iterable[object], y_pred: Iterable[object]) -> float:
    """Proportion of texts that are equal, character by character.

    Parameters
    ----------
    y_true, y_pred : iterable of str of length n_samples
        Texts; other values (a number, NaN for a missing cell) are converted by `str`.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> exact_match_score(["two feet", "7"], ["Two feet", 7])
    0.5
    """
    equal = [truth == prediction for truth, prediction in zip(map(str, y_true), map(str, y_pred), strict=True)]
    return float(np.mean(equal)) if equal else float("nan")


def word_jaccard_score(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Mean over samples of the number of words in both texts over the number of words in either (Jaccard, 1901).

    Words are separated by white space and compared in lower case. They include punctuation; repeats count once. A pair
    of texts without words counts 0.

    Parameters
    ----------
    y_true, y_pred : iterable of str of length n_samples
        Texts.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> word_jaccard_score(["so very happy", "fine"], ["So happy!", "fine fine"])
    0.625
    """
    return _mean_jaccard(y_true, y_pred, without_words=0)


def text_jaccard_score(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Mean over samples of the number of words in both texts over the number of words in either (Jaccard, 1901).

    Like `word_jaccard_score`, but a pair of texts without words agrees, so it counts 1.

    Parameters
    ----------
    y_true, y_pred : iterable of str of length n_samples
        Texts.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> text_jaccard_score(["so very happy", "fine", ""], ["So happy!", "fine fine", " "])
    0.75
    """
    return _mean_jaccard(y_true, y_pred, without_words=1)


def _mean_jaccard(y_true: Iterable[str], y_pred: Iterable[str], without_words: float) -> float:
    shares = []
    for truth, prediction in zip(y_true, y_pred, strict=True):
        wanted, found = set(truth.lower().split()), set(split_words(prediction.lower()))
        shared = len(wanted & found)
        either = len(wanted) + len(found) - shared
        shares.append(shared / either if either else without_words)
    return float(np.mean(shares)) if shares else float("nan")
