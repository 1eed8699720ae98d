"""Metrics for ordered lists of guesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike


def map_at_k_score(y_true: Iterable[object], y_pred: Iterable[Sequence[object]], k: int) -> float:
    """Mean average precision at k where each sample has exactly one right answer.

    The first right guess among the first k scores one over its rank; repeated guesses count as ranks.

    Parameters
    ----------
    y_true : iterable of length n_samples
        The right answer of each sample.
    y_pred : iterable of length n_samples
        Guesses for each sample, best first; those after the k-th are ignored.
    k : int
        Number of guesses that count.

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


def map_at_3_score(y_true: Iterable[object], y_pred: Iterable[str]) -> float:
    """Mean average precision at 3 of guesses in text, separated by white space.

    Parameters
    ----------
    y_true : iterable of length n_samples
        The right answer of each sample.
    y_pred : iterable of str of length n_samples
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
    return map_at_k_score([str(truth) for truth in y_true], [text.split(None, 3) for text in y_pred], k=3)


def map_at_5_score(y_true: Iterable[object], y_pred: Iterable[object]) -> float:
    """Mean average precision at 5 of guesses in text, separated by exactly one blank.

    A leading or doubled blank makes an empty guess, which has a rank. Values that are not text (a number, NaN for a
    missing cell) are converted by `str`.

    Parameters
    ----------
    y_true : iterable of length n_samples
        The right answer of each sample.
    y_pred : iterable of length n_samples
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
    return map_at_k_score([str(truth) for truth in y_true], [str(text).split(" ", 5) for text in y_pred], k=5)


def split_guesses(
    texts: Iterable[str], names: Iterable[object], most: int, form: re.Pattern[str], kind: str
) -> list[list[str]]:
    """Split guesses at white space.

    Parameters
    ----------
    texts : iterable of str of length n_samples
        The guesses of each sample, best first.
    names : iterable of length n_samples
        How a message names each sample.
    most : int
        How many guesses a sample may have.
    form : re.Pattern
        What a guess looks like.
    kind : str
        What a guess is, such as `a whole number`.

    Raises
    ------
    InvalidSubmissionError
        A sample has no guess, too many, or one of another form.

    Examples
    --------
    >>> import re
    >>> split_guesses(["7  8", " 9"], ["1.jpg", "2.jpg"], most=5, form=re.compile("[0-9]+"), kind="a whole number")
    [['7', '8'], ['9']]
    """
    guesses = [text.split() for text in texts]
    for name, words in zip(names, guesses, strict=True):
        if not words:
            raise InvalidSubmissionError(f"The guesses for {plain(name)} are missing.")
        if len(words) > most:
            raise InvalidSubmissionError(f"There are {len(words)} guesses for {plain(name)}, more than {most}.")
        for word in words:
            if not form.fullmatch(word):
                raise InvalidSubmissionError(f"The guess {plain(word)} for {plain(name)} is not {kind}.")
    return guesses


def map_at_12_score(y_true: Iterable[object], y_pred: Iterable[object]) -> float:
    """Mean average precision at 12 of guesses in text, where a sample may have several right answers.

    A hit scores the precision down to its rank; the same guess hits only once. The sum is divided by the number of
    right answers, at most 12. Guesses are separated by exactly one blank, as in `map_at_5_score`.

    Parameters
    ----------
    y_true : iterable of length n_samples
        The right answers of each sample, separated by one blank; repeats and order do not matter.
    y_pred : iterable of length n_samples
        Up to twelve guesses, best first.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> map_at_12_score(["a b", "c"], ["a d b", "d d c c"])
    0.5833333333333333
    """
    scores = []
    for truth, guesses in zip(y_true, y_pred, strict=True):
        left = set(str(truth).split(" "))
        wanted, hits, gain = min(len(left), 12), 0, 0.0
        for place, guess in enumerate(str(guesses).split(" ", 12)[:12], start=1):
            if guess in left:
                left.remove(guess)
                hits += 1
                gain += hits / place
        scores.append(gain / wanted)
    return float(np.mean(scores)) if scores else float("nan")


def count_inversions(places: ArrayLike, groups: ArrayLike) -> int:
    """Return the number of pairs within a group whose order is wrong: the greater place before the smaller one.

    It equals the number of swaps of neighbours that sort the groups. Places are sorted bit by bit from the highest, and
    each step counts the pairs in which a place with the bit comes before one without it.

    Parameters
    ----------
    places : array-like of shape (n_rows,)
        Integers from 0.
    groups : array-like of shape (n_rows,)
        Integers from 0, ascending.

    >>> count_inversions([2, 0, 1, 1, 0], [0, 0, 0, 1, 1])
    3
    """
    place, group = np.asarray(places, dtype=np.int64), np.asarray(groups, dtype=np.int64)
    bits = int(place.max(initial=0)).bit_length()
    rows = group << bits | place
    total = 0
    for bit in reversed(range(bits)):
        above, is_set = rows >> bit + 1, rows >> bit & 1
        ones = np.cumsum(is_set)
        starts = np.flatnonzero(np.diff(above, prepend=-1))
        sizes = np.diff(starts, append=len(rows))
        before = np.repeat((ones - is_set)[starts], sizes)
        total += int((ones - before)[is_set == 0].sum())
        rows = rows[np.argsort(rows >> bit, kind="stable")]
    return total


def lwlrap_score(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Label-weighted label-ranking average precision: the mean precision down to each true label.

    The precision of a true label is the share of true labels among the labels of its sample that score at least as
    high, so ties take the worst rank. The score is the mean over all true labels of all samples. It equals
    scikit-learn's `label_ranking_average_precision_score` with samples weighted by their number of true labels (Fonseca
    et al., 2019, "Audio tagging with noisy labels and minimal supervision").

    Parameters
    ----------
    y_true : array-like of shape (n_samples, n_labels)
        Indicators; values above 0 are true labels. Samples without true labels do not count.
    y_score : array-like of the same shape
        Scores without NaN; only their order within a sample counts.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no true labels.

    Examples
    --------
    >>> lwlrap_score([[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.1], [0.3, 0.2, 0.1]])
    0.7222222222222222
    """
    truth, scores = np.asarray(y_true) > 0, np.asarray(y_score, dtype=float)
    samples, labels = np.nonzero(truth)
    if not samples.size:
        return float("nan")
    at_least = scores[samples] >= scores[samples, labels][:, np.newaxis]
    precision = (at_least & truth[samples]).sum(axis=1) / at_least.sum(axis=1)
    counts = truth.sum(axis=1)
    counts = counts[counts > 0]
    weighted = np.empty(len(counts))
    for count in np.unique(counts):  # a table for each number of true labels
        weighted[counts == count] = count * precision[np.repeat(counts == count, counts)].reshape(-1, count).mean(
            axis=1
        )
    return float(np.cumsum(weighted)[-1] / counts.sum())
