"""Metrics for ordered lists of guesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def map_at_k_score(y_true: Sequence[object], y_pred: Sequence[Sequence[object]], k: int) -> float:
    """Mean average precision at k where each sample has exactly one right answer.

    The first right guess among the first k scores one over its place; repeated guesses keep their place.

    Parameters
    ----------
    y_true : sequence of length n_samples
        The right answer of each sample.
    y_pred : sequence of length n_samples
        For each sample its guesses, best first; those after the k-th are ignored.
    k : int
        How many guesses count.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> map_at_k_score(["a", "b"], [["a", "b"], ["a", "b"]], k=2)
    0.75
    """
    gains = []
    for truth, guesses in zip(y_true, y_pred, strict=True):
        first = next((place for place, guess in enumerate(guesses[:k], start=1) if guess == truth), None)
        gains.append(1 / first if first else 0.0)
    return float(np.mean(gains)) if gains else float("nan")


def map_at_3_score(y_true: Sequence[object], y_pred: Sequence[str]) -> float:
    """Mean average precision at 3 of guesses written as text with blanks between them.

    Parameters
    ----------
    y_true : sequence of length n_samples
        The right answer of each sample.
    y_pred : sequence of str of length n_samples
        Up to three guesses, best first.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> map_at_3_score(["a", "b"], ["a b c", "c b a"])
    0.75
    """
    return map_at_k_score([str(truth) for truth in y_true], [text.split() for text in y_pred], k=3)


def map_at_5_score(y_true: Sequence[object], y_pred: Sequence[object]) -> float:
    """Mean average precision at 5 of guesses written as text with exactly one blank between them.

    A leading or doubled blank stands for an empty guess, which takes up a place; of what is no text (a number,
    NaN for a missing cell) the guess is what `str` makes of it.

    Parameters
    ----------
    y_true : sequence of length n_samples
        The right answer of each sample.
    y_pred : sequence of length n_samples
        Up to five guesses, best first.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> map_at_5_score(["a", "b"], ["a b c", "c  d b"])
    0.625
    """
    return map_at_k_score([str(truth) for truth in y_true], [str(text).split(" ") for text in y_pred], k=5)
