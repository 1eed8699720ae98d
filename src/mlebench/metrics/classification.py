"""Metrics for class labels and class probabilities.

Those that v1 uses equal scikit-learn's to the last bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.metrics.words import split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

MAX_LABELS = 4_096
"""Labels for which a table of all pairs fits in memory."""
SMALLEST_PROBABILITY = 1e-15
"""Kaggle clips probabilities to this and to one minus this."""


def accuracy_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Proportion of equal labels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of any type that compares by value (`True` equals `1` equals `1.0`).

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> accuracy_score([0, 1, 1, 0], [0, 1, 0, 0])
    0.75
    """
    equal = np.asarray(y_true) == np.asarray(y_pred)
    return float(np.mean(equal)) if equal.size else float("nan")


def roc_auc_score(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Area under the receiver operating characteristic curve, averaged over columns.

    The probability that a random positive has a higher score than a random negative, ties counting one half
    (Hanley and McNeil, 1982). The order of operations is scikit-learn's: another one
    would change the last bit, and sometimes the last decimal of a rounded score.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels; what equals 1 is positive.
    y_score : array-like of the same shape
        Scores without NaN; only their order counts.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN where a column has one class only.

    Examples
    --------
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    truth, scores = np.asarray(y_true), np.asarray(y_score)
    if truth.ndim == 2:
        return float(np.mean([roc_auc_score(truth[:, k], scores[:, k]) for k in range(truth.shape[1])]))
    false_rate, true_rate = roc_curve(truth, scores)
    return area_under_curve(false_rate, true_rate)


def roc_curve(y_true: ArrayLike, y_score: ArrayLike) -> tuple[Floats, Floats]:
    """Return false and true positive rates at the corners of the ROC curve; NaN where a class is missing.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels; what equals 1 is positive.
    y_score : array-like of shape (n_samples,)
        Scores without NaN; only their order counts.

    Returns
    -------
    false_rate, true_rate : arrays of shape (n_corners + 1,)
        Ascending from 0 to 1.

    Examples
    --------
    >>> [rates.tolist() for rates in roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])]
    [[0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0]]
    """
    hits, alarms = _counts_above_thresholds(y_true, y_score)
    if len(hits) > 2:
        corner = np.concatenate([[True], (np.diff(alarms, 2) != 0) | (np.diff(hits, 2) != 0), [True]])
        hits, alarms = hits[corner], alarms[corner]
    hits, alarms = np.concatenate([[0.0], hits]), np.concatenate([[0.0], alarms])
    with np.errstate(invalid="ignore"):
        return alarms / alarms[-1], hits / hits[-1]


def area_under_curve(x: Floats, y: Floats) -> float:
    """Return the area under a curve by the trapezoidal rule; `x` is ascending."""
    return float((np.diff(x) * (y[1:] + y[:-1]) / 2.0).sum()) if len(x) > 1 else float("nan")


def _counts_above_thresholds(y_true: ArrayLike, y_score: ArrayLike) -> tuple[Floats, Floats]:
    """Return the numbers of positives and negatives with at least each distinct score, the highest score first."""
    positive, scores = np.asarray(y_true) == 1, np.asarray(y_score)
    if scores.dtype.kind not in "biuf":
        scores = scores.astype(float)
    order = np.argsort(scores, kind="stable")[::-1]
    scores = scores[order]
    last = np.flatnonzero(np.concatenate([scores[1:] != scores[:-1], [True]])[: len(scores)])
    hits = np.cumsum(positive[order], dtype=float)[last]
    return hits, 1.0 + last - hits


def average_precision_score(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Mean precision over the steps of recall, without interpolation.

    The area under the steps of the precision-recall curve: the sum over thresholds of precision times the gain in
    recall. Samples with the same score are one step.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels; what equals 1 is positive.
    y_score : array-like of shape (n_samples,)
        Scores without NaN; only their order counts.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no positive samples.

    Examples
    --------
    >>> average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333333
    """
    hits, alarms = _counts_above_thresholds(y_true, y_score)
    if not hits.size or not hits[-1]:
        return float("nan")
    precision, recall = hits / (hits + alarms), hits / hits[-1]
    gain = np.diff(np.concatenate([recall[::-1], [0.0]]))
    return float(max(0.0, -np.sum(gain * precision[::-1])))


def log_loss(y_true: ArrayLike, y_prob: ArrayLike) -> float:
    """Mean negative natural logarithm of the probability given to the true class.

    Probabilities are clipped to [eps, 1 - eps], eps being the spacing of float64 at 1 (2.2e-16); rows are not
    rescaled to sum to one.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
        Binary labels, or class indicators with a single 1 in each row.
    y_prob : array-like of the same shape
        Probability of the positive class, or of each class.

    Returns
    -------
    float
        In nats, from 0, lower is better; NaN for no samples.

    Examples
    --------
    >>> round(log_loss([[1, 0], [0, 1]], [[0.9, 0.1], [0.2, 0.8]]), 6)
    0.164252
    """
    truth, probability = np.asarray(y_true, dtype=float), np.asarray(y_prob, dtype=float)
    if not truth.size:
        return float("nan")
    if truth.ndim == 1:
        truth = np.column_stack([1 - truth, truth])
        probability = np.column_stack([1 - probability, probability])
    eps = float(np.finfo(float).eps)
    return float(np.mean(-(truth * np.log(np.clip(probability, eps, 1 - eps))).sum(axis=1)))


def rescaled_log_loss(y_true: ArrayLike, y_prob: ArrayLike) -> float:
    """Mean negative natural logarithm of the probability given to the true class, as Kaggle computes it.

    The probabilities of each row are divided by their sum, then clipped to [1e-15, 1 - 1e-15].

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
        Binary labels, or class indicators with a single 1 in each row.
    y_prob : array-like of the same shape
        Probability of the positive class, which is not rescaled, or a weight of each class, from 0.

    Returns
    -------
    float
        In nats, from 0, lower is better; NaN for no samples.

    Raises
    ------
    InvalidSubmissionError
        The sum of a row is not positive and finite.

    Examples
    --------
    >>> round(rescaled_log_loss([[1, 0], [0, 1]], [[9, 1], [0.1, 0.4]]), 6)
    0.164252
    """
    truth, probability = np.asarray(y_true, dtype=float), np.asarray(y_prob, dtype=float)
    if not truth.size:
        return float("nan")
    if truth.ndim == 1:
        probability = np.where(truth == 1, probability, 1 - probability)
    else:
        with np.errstate(over="ignore"):
            sums = probability.sum(axis=1)
        wrong = sums[~((sums > 0) & (sums < np.inf))]
        if len(wrong):
            raise InvalidSubmissionError(
                f"The probabilities of each row must have a positive sum, but a sum is {plain(wrong[0].item())}."
            )
        probability = (probability / sums[:, np.newaxis] * truth).sum(axis=1)
    clipped = np.clip(probability, SMALLEST_PROBABILITY, 1 - SMALLEST_PROBABILITY)
    return float(np.mean(-np.log(clipped)))


def f1_macro_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Unweighted mean over classes of the harmonic mean of precision and recall.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels. Classes are all labels that occur in either; a class without a hit counts 0.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> round(f1_macro_score([0, 0, 1, 2], [0, 1, 1, 1]), 6)
    0.388889
    """
    truth, prediction = np.asarray(y_true), np.asarray(y_pred)
    if not truth.size:
        return float("nan")
    classes, codes = np.unique(np.concatenate([truth, prediction]), return_inverse=True)
    true_codes, predicted_codes = codes[: len(truth)], codes[len(truth) :]
    size = len(classes)
    hits = np.bincount(true_codes[true_codes == predicted_codes], minlength=size)
    total = np.bincount(true_codes, minlength=size) + np.bincount(predicted_codes, minlength=size)
    return float(np.mean(2 * hits / total))


def quadratic_weighted_kappa_score(
    y_true: ArrayLike, y_pred: ArrayLike, labels: Sequence[object] | range | None = None
) -> float:
    """Agreement of ordered labels beyond chance, where a disagreement weighs the square of its distance.

    One minus the ratio of the squared distances to those that independent labels with the same frequencies would have
    (Cohen, 1968). A distance is the difference of the ranks of two labels on the scale.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels that can be sorted.
    labels : sequence or range, optional
        The scale: all labels in ascending order. By default all that occur in either argument, as in scikit-learn: if
        only 1 and 6 occur, they are one step apart.

    Returns
    -------
    float
        In [-1, 1], higher is better, 0 for chance and for constant predictions; NaN for no samples. Where truth and
        predictions are one and the same label, 1 on a given scale, else NaN.

    Raises
    ------
    InvalidSubmissionError
        A label is not on the given scale.

    Examples
    --------
    >>> quadratic_weighted_kappa_score([1, 2, 3, 3], [1, 2, 2, 3])
    0.8
    >>> round(quadratic_weighted_kappa_score([1, 2, 6, 6], [1, 2, 2, 6], labels=range(1, 7)), 6)
    0.594937
    """
    truth, prediction = np.asarray(y_true), np.asarray(y_pred)
    if labels is None:
        scale, places = np.unique(np.concatenate([truth, prediction]), return_inverse=True)
    else:
        scale = np.asarray(labels)
        places = _places_on_scale(np.concatenate([truth, prediction]), scale)
    true_places, predicted_places = np.split(places.astype(np.int64), [len(truth)])
    observed = int(np.sum((true_places - predicted_places) ** 2))
    if labels is not None and len(truth) and not observed:
        return 1.0
    true_counts, predicted_counts = (
        np.bincount(part, minlength=len(scale)) for part in (true_places, predicted_places)
    )
    if len(scale) > MAX_LABELS:  # the table below would take too much memory
        squares = int(np.sum(true_places**2) + np.sum(predicted_places**2))
        expected = squares - 2 * int(true_places.sum()) * int(predicted_places.sum()) / len(truth)
    else:
        distance = np.subtract.outer(np.arange(len(scale)), np.arange(len(scale))) ** 2
        expected = float(np.sum(distance * (np.outer(true_counts, predicted_counts) / max(len(truth), 1))))
    return 1 - observed / expected if expected else float("nan")


def _places_on_scale(values: NDArray[Any], scale: NDArray[Any]) -> NDArray[np.int64]:
    """Return the ranks of values on an ascending scale; InvalidSubmissionError if one is not on it."""
    places = np.minimum(np.searchsorted(scale, values), len(scale) - 1)
    wrong = scale[places] != values
    if wrong.any():
        value, first, last = (plain(found.item()) for found in (values[wrong][0], scale[0], scale[-1]))
        raise InvalidSubmissionError(f"The label {value} is not on the scale from {first} to {last}.")
    return places


def matthews_correlation_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Correlation of true and predicted classes, over the whole confusion matrix.

    For two classes the coefficient of Matthews (1975), for more its generalization by Gorodkin (2004).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels that can be sorted.

    Returns
    -------
    float
        In [-1, 1], higher is better; 0 where either has a single class only; NaN for no samples.

    Examples
    --------
    >>> round(matthews_correlation_score([1, 1, 1, 0], [1, 0, 1, 1]), 6)
    -0.333333
    """
    truth, prediction = np.asarray(y_true), np.asarray(y_pred)
    if not truth.size:
        return float("nan")
    _, codes = np.unique(np.concatenate([truth, prediction]), return_inverse=True)
    n = len(truth)
    hits = int(np.count_nonzero(codes[:n] == codes[n:]))
    true_counts, predicted_counts = (np.bincount(part, minlength=codes.max() + 1) for part in (codes[:n], codes[n:]))
    shared, true_spread, predicted_spread = (
        n * same - int(one @ other)
        for same, one, other in (
            (hits, true_counts, predicted_counts),
            (n, true_counts, true_counts),
            (n, predicted_counts, predicted_counts),
        )
    )
    return shared / math.sqrt(true_spread * predicted_spread) if true_spread and predicted_spread else 0.0


def label_set_f1_micro_score(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Harmonic mean of precision and recall over all pairs of sample and label, for samples with sets of labels.

    Only labels that occur in `y_true` count: a predicted label that no sample has is not a false positive.

    Parameters
    ----------
    y_true, y_pred : iterable of str of length n_samples
        The labels of each sample with white space between them; repeats and order do not matter.

    Returns
    -------
    float
        In [0, 1], higher is better; 0 where nothing is predicted; NaN for no samples.

    Examples
    --------
    >>> label_set_f1_micro_score(["a b", "b"], ["b a", "a unheard-of"])
    0.6666666666666666
    """
    truth = [set(text.split()) for text in y_true]
    if not truth:
        return float("nan")
    known = set().union(*truth)
    hits, total = 0, sum(map(len, truth))
    for wanted, text in zip(truth, y_pred, strict=True):  # the other labels of a text may be millions
        found = known.intersection(split_words(text))
        hits += len(wanted & found)
        total += len(found)
    return 2 * hits / total if total else 0.0


def label_set_f1_micro_all_score(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Harmonic mean of precision and recall over all pairs of sample and label, where every predicted label counts.

    Like `label_set_f1_micro_score`, but a label that no sample has is a false positive too.

    Parameters
    ----------
    y_true, y_pred : iterable of str of length n_samples
        The labels of each sample with white space between them; repeats and order do not matter.

    Returns
    -------
    float
        In [0, 1], higher is better; 1 where all sets are empty; NaN for no samples.

    Examples
    --------
    >>> label_set_f1_micro_all_score(["a b", "b"], ["b a", "a unheard-of"])
    0.5714285714285714
    """
    counts = _label_counts(y_true, y_pred)
    if not len(counts):
        return float("nan")
    hits, wanted, found = counts.sum(axis=0).tolist()
    return 2 * hits / (wanted + found) if wanted + found else 1.0


def label_set_f_samples_score(y_true: Iterable[str], y_pred: Iterable[str], beta: float = 1) -> float:
    """Mean over samples of the weighted harmonic mean of precision and recall of a set of labels.

    Every predicted label counts, also one that no sample has. A sample without labels counts 1 if none is predicted.

    Parameters
    ----------
    y_true, y_pred : iterable of str of length n_samples
        The labels of each sample with white space between them; repeats and order do not matter.
    beta : float
        How many times as much recall weighs as precision (van Rijsbergen, 1979); 1 gives F1, 2 gives F2.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN for no samples.

    Examples
    --------
    >>> label_set_f_samples_score(["a b", "b"], ["b a", "b unheard-of"])
    0.8333333333333333
    """
    counts = _label_counts(y_true, y_pred)
    if not len(counts):
        return float("nan")
    hits, wanted, found = counts.T
    weights = beta**2 * wanted + found
    return float(np.mean(np.where(weights > 0, (1 + beta**2) * hits / np.where(weights > 0, weights, 1), 1.0)))


def _label_counts(y_true: Iterable[str], y_pred: Iterable[str]) -> NDArray[np.int64]:
    """Return the numbers of shared, true and predicted labels of each sample; shape (n_samples, 3)."""
    rows = []
    for truth, prediction in zip(y_true, y_pred, strict=True):
        wanted, found = set(truth.split()), set(split_words(prediction))
        rows.append((len(wanted & found), len(wanted), len(found)))
    return np.array(rows, dtype=np.int64).reshape(-1, 3)
