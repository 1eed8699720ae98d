"""Metrics for the graders of competitions that users add; those of this tree have their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def average_precision_at_k(actual: Sequence[Any], predicted: Sequence[Any], k: int = 10) -> float:
    """Return the average precision at k of one list of guesses, best first; a repeated guess counts once.

    It is the sum of the precision at each hit over the number of right answers, at most k; 0 without right answers.
    """
    wanted, seen, total = set(actual), set(), 0.0
    for place, guess in enumerate(predicted[:k], start=1):
        if guess in wanted and guess not in seen:
            seen.add(guess)
            total += len(seen) / place
    return total / min(len(wanted), k) if wanted else 0.0


def mean_average_precision_at_k(
    actual: Sequence[Sequence[Any]], predicted: Sequence[Sequence[Any]], k: int = 10
) -> float:
    """Return the mean of `average_precision_at_k` over all samples."""
    scores = [average_precision_at_k(*pair, k) for pair in zip(actual, predicted, strict=True)]
    return sum(scores) / len(scores)


def dice_coefficient(mask: Any, other: Any) -> float:
    """Return twice the shared pixels of two masks over the sum of their areas; 1 where both are empty."""
    import numpy as np

    first, second = np.asarray(mask, dtype=bool), np.asarray(other, dtype=bool)
    area = int(first.sum()) + int(second.sum())
    return 2.0 * int((first & second).sum()) / area if area else 1.0
