"""Metrics equal the libraries that version v1 calls to the last bit, on random cases with ties and extreme values.

A score is rounded to five decimals, so a metric that differs in the last bit can differ in the fifth decimal.
`--cases` sets the number of random cases for each metric. A long run is

    python -m pytest tests/metrics/test_exactness.py --cases 100000 --timeout 0

Inputs have the types that `read_csv` gives: float64, integers of 64 bits, booleans.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pytest
import sklearn.metrics
from rapidfuzz.distance import Levenshtein
from scipy import stats
from sklearn.preprocessing import MultiLabelBinarizer

from mlebench.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Callable

    Arrays = tuple[np.ndarray, np.ndarray]
    Case = tuple[Callable[[np.random.Generator, int], Arrays], Callable[..., float]]


def finite_numbers(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return numbers of one of many kinds: with few or many ties, constant, whole, very large or small."""
    normal = rng.normal(size=size)
    match rng.integers(12):
        case 0:
            return normal
        case 1:
            return normal.round(rng.integers(0, 3))
        case 2:
            return rng.random(size).round(rng.integers(1, 7))
        case 3:
            return rng.integers(-3, 9, size)
        case 4:
            return rng.integers(2**53, 2**53 + 9, size)  # differences that float64 does not have
        case 5:
            return rng.random(size) < 0.5
        case 6:
            return np.full(size, rng.normal())
        case 7:
            return normal * 10.0 ** rng.integers(-300, 300)
        case 8:
            return normal * 10.0 ** rng.integers(-12, 12, size)
        case 9:
            return normal.astype(np.float32).astype(float)
        case 10:
            return rng.choice([0.0, -0.0, 5e-324, 1e-308, 1.0, 1 - 2**-53, 1 + 2**-52], size)
        case _:
            return 1e6 + normal


def probabilities(rng: np.random.Generator, size: int) -> np.ndarray:
    match rng.integers(5):
        case 0:
            return rng.random(size)
        case 1:
            return rng.random(size).round(rng.integers(0, 4))
        case 2:
            return rng.choice([0.0, 1.0, 1e-300, 1e-17, 1e-16, 1 - 1e-16, 1 - 1e-15, 0.5], size)
        case 3:
            return rng.beta(0.01, 0.01, size)
        case _:
            return rng.integers(0, 2, size)


def both_classes(rng: np.random.Generator, size: int) -> np.ndarray:
    labels = (rng.random(size) < rng.choice([0.02, 0.3, 0.5, 0.9])).astype(int)
    labels[:2] = rng.permutation(2)
    return labels


def scored(rng: np.random.Generator, size: int) -> Arrays:
    truth, scores = both_classes(rng, size), finite_numbers(rng, size)
    return truth, scores + truth * scores.std() if scores.dtype.kind == "f" and rng.random() < 0.5 else scores


def scored_columns(rng: np.random.Generator, size: int) -> Arrays:
    pairs = [scored(rng, size) for _ in range(rng.integers(2, 5))]
    truth, scores = (np.column_stack(side) for side in zip(*pairs, strict=True))
    return truth, scores


def labels(rng: np.random.Generator, size: int) -> Arrays:
    highest = int(rng.choice([1, 2, 6, 40, 2**40]))
    truth = rng.integers(0, highest + 1, size)
    noise = rng.integers(0, highest + 1, size)
    prediction = np.where(rng.random(size) < rng.random(), truth, noise)
    return truth, prediction.astype(float) if rng.random() < 0.2 else prediction


def classes(rng: np.random.Generator, size: int) -> Arrays:
    """Return indicators of which each row has one, and rows of probabilities."""
    width = int(rng.integers(3, 13))
    truth = np.eye(width, dtype=int)[np.concatenate([np.arange(width), rng.integers(0, width, size)])]
    table = rng.dirichlet(np.full(width, rng.choice([0.01, 1, 100])), len(truth))
    if rng.random() < 0.3:
        table = np.eye(width)[rng.integers(0, width, len(truth))]
    return truth, np.asfortranarray(table) if rng.random() < 0.5 else table


def pairs(rng: np.random.Generator, size: int) -> Arrays:
    truth, prediction = finite_numbers(rng, size), finite_numbers(rng, size)
    return truth, truth + prediction * 1e-3 if rng.random() < 0.3 and "b" not in truth.dtype.kind else prediction


def pairs_or_columns(rng: np.random.Generator, size: int) -> Arrays:
    width = int(rng.integers(1, 4))
    if width == 1:
        return pairs(rng, size)
    truth, prediction = (np.column_stack([finite_numbers(rng, size) for _ in range(width)]) for _ in range(2))
    return truth, prediction


def positive_pairs(rng: np.random.Generator, size: int) -> Arrays:
    truth, prediction = (np.abs(table) for table in pairs_or_columns(rng, size))
    return truth, prediction


def tags(rng: np.random.Generator, size: int) -> Arrays:
    """Return indicators of which some rows have all or none, and scores with ties."""
    width = int(rng.integers(2, 90))
    truth = (rng.random((size, width)) < rng.choice([0.02, 0.2, 0.9])).astype(int)
    truth[0, 0] = 1
    scores = rng.normal(size=(size, width)).round(int(rng.choice([0, 1, 9])))
    return truth, scores


def texts(words: list[str], most: int) -> Callable[[np.random.Generator, int], Arrays]:
    def make(rng: np.random.Generator, size: int) -> Arrays:
        truth, prediction = (
            np.array([" ".join(rng.choice(words, rng.integers(least, most + 1))) for _ in range(size)], dtype=object)
            for least in (1, 0)
        )
        return truth, np.where(rng.random(size) < 0.3, truth, prediction)

    return make


ABSENT = {"!", "?"}
"""Labels that no text has: with a single label, scikit-learn takes indicators for classes."""


def binarized(truth: np.ndarray, prediction: np.ndarray) -> Arrays:
    wanted, found = ([set(text.lower().split()) for text in side] for side in (truth, prediction))
    known = MultiLabelBinarizer().fit([*wanted, *found, ABSENT])
    return known.transform(wanted), known.transform(found)


def mean_average_precision(k: int) -> Callable[..., float]:
    """Return the definition, without the shortcuts of our own: the sum of precisions at the hits, row by row."""

    def score(truth: np.ndarray, prediction: np.ndarray) -> float:
        values = []
        for right, text in zip(truth, prediction, strict=True):
            wanted, hits, total = set(right.split(" ")), 0.0, 0.0
            guesses = text.split(" ")[:k] if k > 3 else text.split()[:k]
            for place, guess in enumerate(guesses):
                if guess in wanted and guess not in guesses[:place]:
                    hits += 1.0
                    total += hits / (place + 1.0)
            values.append(total / min(len(wanted), k))
        return float(np.mean(values))

    return score


def f1_of_known_labels(truth: np.ndarray, prediction: np.ndarray) -> float:
    known = MultiLabelBinarizer().fit([*(text.split() for text in truth), ABSENT])
    tables = (known.transform([text.split() for text in side]) for side in (truth, prediction))
    return sklearn.metrics.f1_score(*tables, average="micro")


LETTERS = list("abcdefghi")
CASES: dict[str, Case] = {
    "accuracy_score": (labels, sklearn.metrics.accuracy_score),
    "roc_auc_score": (scored, sklearn.metrics.roc_auc_score),
    "roc_auc_score of columns": (scored_columns, sklearn.metrics.roc_auc_score),
    "average_precision_score": (scored, sklearn.metrics.average_precision_score),
    "log_loss": (lambda rng, size: (both_classes(rng, size), probabilities(rng, size)), sklearn.metrics.log_loss),
    "log_loss of classes": (classes, sklearn.metrics.log_loss),
    "f1_macro_score": (labels, lambda y, p: sklearn.metrics.f1_score(y, p, average="macro")),
    "quadratic_weighted_kappa_score": (
        labels,
        lambda y, p: sklearn.metrics.cohen_kappa_score(p, y, weights="quadratic"),  # v1 hands them over so
    ),
    "matthews_correlation_score": (labels, sklearn.metrics.matthews_corrcoef),
    "label_set_f1_micro_score": (texts(LETTERS, 4), f1_of_known_labels),
    "exact_match_score": (texts(LETTERS, 1), sklearn.metrics.accuracy_score),
    "word_jaccard_score": (
        texts([*"abcABC"], 5),
        lambda y, p: sklearn.metrics.jaccard_score(*binarized(y, p), average="samples"),
    ),
    "levenshtein_error": (
        texts(["ab", "ba", "日本", "a"], 4),
        lambda y, p: np.mean([Levenshtein.distance(one, other) for one, other in zip(y, p, strict=True)]),
    ),
    "root_mean_squared_error": (pairs_or_columns, sklearn.metrics.root_mean_squared_error),
    "root_mean_squared_log_error": (positive_pairs, sklearn.metrics.root_mean_squared_log_error),
    "mean_absolute_error": (pairs_or_columns, sklearn.metrics.mean_absolute_error),
    "pearson_correlation_score": (pairs, lambda y, p: stats.pearsonr(y.astype(float), p.astype(float))[0]),
    "map_at_3_score": (texts(LETTERS, 1), mean_average_precision(3)),
    "map_at_5_score": (texts(LETTERS, 1), mean_average_precision(5)),
    "map_at_12_score": (texts(LETTERS, 15), mean_average_precision(12)),
    "lwlrap_score": (
        tags,
        lambda y, p: sklearn.metrics.label_ranking_average_precision_score(y, p, sample_weight=y.sum(axis=1)),
    ),
}
"""By metric: a function that makes a case of about some size, and the library's function."""


@pytest.mark.parametrize("name", CASES)
def test_value_equals_the_librarys_to_the_last_bit(name, seed, pytestconfig):
    make, library = CASES[name]
    metric = METRICS[name.split()[0]]
    compared = 0
    for number in range(pytestconfig.option.cases):
        rng = np.random.default_rng([seed, number])
        truth, prediction = make(rng, int(rng.integers(2, 300)))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                wanted = float(library(truth, prediction))
            except ValueError as error:  # an overflow: version v1 gives no score
                assert "infinity" in str(error) or "nan" in str(error).lower(), number
                continue
            found = metric(truth, prediction)
        assert found == wanted or (math.isnan(found) and math.isnan(wanted)), f"case {number}"
        compared += 1
    assert compared


LATER = {"rescaled_log_loss", "label_set_f1_micro_all_score", "label_set_f_samples_score", "text_jaccard_score"}
"""Metrics that v1 does not use."""


@pytest.mark.parametrize("name", ["label_set_f1_micro_score", "word_jaccard_score"])
def test_value_equals_the_librarys_if_all_texts_have_the_same_word(name):
    truth, prediction = (np.array(texts, dtype=object) for texts in (["a", "a", "a"], ["a", "", "a a"]))
    assert METRICS[name](truth, prediction) == CASES[name][1](truth, prediction)


def test_every_metric_of_a_library_has_a_case():
    """The Dice coefficient of run-length codes has none in a library; it is a quotient of two integers."""
    assert {name.split()[0] for name in CASES} == METRICS.keys() - {"dice_score"} - LATER
