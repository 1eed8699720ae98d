"""What must hold for every metric, on random data that suit it."""

from __future__ import annotations

import doctest
import importlib
import math
import pkgutil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
import sklearn.metrics
from sklearn.preprocessing import MultiLabelBinarizer

import mlebench.metrics
from mlebench.errors import UnknownNameError
from mlebench.metrics import METRICS, get_metric

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 60
COMPASS = {"north", "south", "east", "west"}


class Case(NamedTuple):
    """Data for a metric: the truth, the best prediction, and a prediction made worse by a share of its rows."""

    truth: Callable[[np.random.Generator], np.ndarray]
    best: Callable[[np.ndarray], np.ndarray]
    worst_value: Callable[[np.ndarray], np.ndarray]
    sklearn: Callable[..., float] | None


def binary(rng):
    return (np.arange(SIZE) % 2 == 0)[rng.permutation(SIZE)].astype(int)


def labels(rng):
    return np.arange(SIZE)[rng.permutation(SIZE)] % 4


def words(rng):
    return np.array(["north", "south", "east", "west"])[labels(rng)]


def numbers(rng):
    return rng.normal(size=SIZE)


def indicators(rng):
    return np.eye(4, dtype=int)[labels(rng)]


def several_indicators(rng):
    """Indicators of which each row has one, two or three, and a last row none."""
    table = np.eye(9, dtype=int)[labels(rng)] | (rng.random((SIZE, 9)) < 0.1)
    table[-1] = 0
    return table


def masks(rng):
    starts = rng.integers(1, 500, SIZE)
    return np.array([f"{start} {start % 40 + 1} {start + 100} 7" for start in starts], dtype=object)


def label_sets(rng):
    return np.array([f"{word} {'north' if word == 'east' else 'east'}" for word in words(rng)], dtype=object)


def sklearn_label_set_f1(truth, prediction):
    """The same over a table of indicators, for labels that all occur in the truth."""
    binarizer = MultiLabelBinarizer()
    wanted = binarizer.fit_transform([text.split() for text in truth])
    found = binarizer.transform([text.split() for text in prediction])
    return sklearn.metrics.f1_score(wanted, found, average="micro")


def both_indicators(truth, prediction):
    """Tables of indicators of all labels of either."""
    wanted, found = ([text.split() for text in texts] for texts in (truth, prediction))
    binarizer = MultiLabelBinarizer().fit([*wanted, *found])
    return binarizer.transform(wanted), binarizer.transform(found)


def sklearn_jaccard(truth, prediction):
    """The same over a table of indicators."""
    wanted, found = ([text.lower().split() for text in texts] for texts in (truth, prediction))
    binarizer = MultiLabelBinarizer().fit([*wanted, *found])
    return sklearn.metrics.jaccard_score(binarizer.transform(wanted), binarizer.transform(found), average="samples")


def sklearn_map(k):
    """The same from the average precision of each list, guesses that come again being wrong ones."""

    def score(truth, prediction):
        gains = []
        for wanted, guesses in ((set(t.split()), p.split()[:k]) for t, p in zip(truth, prediction, strict=True)):
            hits = [guess in wanted and guess not in guesses[:place] for place, guess in enumerate(guesses)]
            gain = sklearn.metrics.average_precision_score(hits, range(k, k - len(hits), -1)) if any(hits) else 0
            gains.append(gain * sum(hits) / min(len(wanted), k))
        return np.mean(gains)

    return score


def sklearn_dice(truth, prediction):
    """The same over all pixels, one after the other."""

    def pixels(codes):
        table = np.zeros((len(codes), 1200), dtype=bool)
        for row, code in zip(table, codes, strict=True):
            for start, length in np.array(code.split(), dtype=int).reshape(-1, 2):
                row[start - 1 : start - 1 + length] = True
        return table.ravel()

    return sklearn.metrics.f1_score(pixels(truth), pixels(prediction))


CASES = {
    "accuracy_score": Case(labels, np.copy, lambda y: y + 10, sklearn.metrics.accuracy_score),
    "roc_auc_score": Case(binary, lambda y: y * 0.5 + 0.25, lambda y: 1.0 - y, sklearn.metrics.roc_auc_score),
    "average_precision_score": Case(
        binary, lambda y: y * 0.5 + 0.25, lambda y: 0.0 * y, sklearn.metrics.average_precision_score
    ),
    "log_loss": Case(
        indicators,
        lambda y: y.astype(float),
        lambda y: (1.0 - y) / 3,
        lambda y, p: sklearn.metrics.log_loss(y.argmax(axis=1), p, labels=range(4)),
    ),
    "rescaled_log_loss": Case(
        indicators,
        lambda y: y * 7.0,
        lambda y: (1.0 - y) / 5,
        lambda y, p: sklearn.metrics.log_loss(
            y.argmax(axis=1), (p / p.sum(axis=1, keepdims=True)).clip(1e-15, 1 - 1e-15), labels=range(4)
        ),
    ),
    "f1_macro_score": Case(
        labels,
        np.copy,
        lambda y: (y + 1) % 4,
        lambda y, p: sklearn.metrics.f1_score(y, p, average="macro"),
    ),
    "quadratic_weighted_kappa_score": Case(
        labels,
        np.copy,
        lambda y: 3 - y,
        lambda y, p: sklearn.metrics.cohen_kappa_score(y, p, weights="quadratic"),
    ),
    "matthews_correlation_score": Case(labels, np.copy, lambda y: (y + 1) % 4, sklearn.metrics.matthews_corrcoef),
    "label_set_f1_micro_score": Case(
        label_sets,
        lambda y: np.array([" ".join(reversed(text.split())) for text in y], dtype=object),
        lambda y: np.array([" ".join(COMPASS - set(text.split())) for text in y], dtype=object),
        sklearn_label_set_f1,
    ),
    "label_set_f1_micro_all_score": Case(
        label_sets,
        lambda y: np.array([" ".join(reversed(text.split())) for text in y], dtype=object),
        lambda y: np.array([" ".join(COMPASS - set(text.split())) + " up" for text in y], dtype=object),
        lambda y, p: sklearn.metrics.f1_score(*both_indicators(y, p), average="micro"),
    ),
    "label_set_f_samples_score": Case(
        label_sets,
        lambda y: np.array([" ".join(reversed(text.split())) for text in y], dtype=object),
        lambda y: np.array([" ".join(COMPASS - set(text.split())) + " up" for text in y], dtype=object),
        lambda y, p: sklearn.metrics.f1_score(*both_indicators(y, p), average="samples"),
    ),
    "exact_match_score": Case(words, np.copy, np.char.upper, sklearn.metrics.accuracy_score),
    "word_jaccard_score": Case(
        lambda rng: np.array([f"{word} by north" for word in words(rng)], dtype=object),
        lambda y: np.array([text.upper() for text in y], dtype=object),
        lambda y: np.array(["up down"] * len(y), dtype=object),
        sklearn_jaccard,
    ),
    "text_jaccard_score": Case(
        lambda rng: np.array([f"{word} by north" for word in words(rng)], dtype=object),
        lambda y: np.array([text.upper() for text in y], dtype=object),
        lambda y: np.array(["up down"] * len(y), dtype=object),
        sklearn_jaccard,
    ),
    "levenshtein_error": Case(
        lambda rng: np.array([f"{word} by north" for word in words(rng)], dtype=object),
        np.copy,
        lambda y: np.array(["up" + text for text in y], dtype=object),
        None,  # test_edits.py has the table of dynamic programming
    ),
    "root_mean_squared_error": Case(numbers, np.copy, lambda y: y + 3, sklearn.metrics.root_mean_squared_error),
    "root_mean_squared_log_error": Case(
        lambda rng: rng.gamma(2, size=SIZE),
        np.copy,
        lambda y: y + 3,
        sklearn.metrics.root_mean_squared_log_error,
    ),
    "mean_absolute_error": Case(numbers, np.copy, lambda y: y + 3, sklearn.metrics.mean_absolute_error),
    "pearson_correlation_score": Case(
        numbers, lambda y: 2 * y + 5, lambda y: -y, lambda y, p: float(np.corrcoef(y, p)[0, 1])
    ),
    "map_at_3_score": Case(
        words,
        lambda y: np.array([f"{word} up down" for word in y], dtype=object),
        lambda y: np.array(["up down left"] * len(y), dtype=object),
        sklearn_map(3),
    ),
    "map_at_5_score": Case(
        words,
        lambda y: np.array([f"{word} up down" for word in y], dtype=object),
        lambda y: np.array(["up down left"] * len(y), dtype=object),
        sklearn_map(5),
    ),
    "map_at_12_score": Case(
        label_sets,
        lambda y: np.array([f"{text} up" for text in y], dtype=object),
        lambda y: np.array(["up down"] * len(y), dtype=object),
        sklearn_map(12),
    ),
    "lwlrap_score": Case(
        several_indicators,
        lambda y: y + 0.25,
        lambda y: 1.0 - y,
        lambda y, p: sklearn.metrics.label_ranking_average_precision_score(y, p, sample_weight=y.sum(axis=1)),
    ),
    "dice_score": Case(masks, np.copy, lambda y: np.array(["1000 7"] * len(y), dtype=object), sklearn_dice),
}

each_metric = pytest.mark.parametrize("name", METRICS)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def worsened(case: Case, truth: np.ndarray, share: float) -> np.ndarray:
    """The best prediction, with the first rows (in a fixed order) replaced by bad ones."""
    prediction, bad = case.best(truth), case.worst_value(truth)
    rows = np.random.default_rng(3).permutation(len(truth))[: round(share * len(truth))]
    prediction = prediction.astype(np.result_type(prediction, bad))
    prediction[rows] = bad[rows]
    return prediction


def test_every_metric_has_a_case():
    assert CASES.keys() == METRICS.keys()


@each_metric
def test_name_tells_the_direction(name):
    assert name.endswith(("_error", "_loss") if METRICS[name].lower_is_better else "_score")


@each_metric
def test_perfect_prediction_is_best(name, rng):
    metric, case = METRICS[name], CASES[name]
    truth = case.truth(rng)
    assert metric(truth, case.best(truth)) == pytest.approx(metric.best, abs=1e-12)


@each_metric
def test_more_wrong_rows_are_never_better(name, rng):
    metric, case = METRICS[name], CASES[name]
    truth = case.truth(rng)
    scores = [metric(truth, worsened(case, truth, share)) for share in (0, 0.1, 0.3, 0.6, 1)]
    assert scores == sorted(scores, reverse=not metric.lower_is_better)
    assert scores[0] != scores[-1]
    low, high = metric.range
    assert all(low <= score <= high for score in scores)


@each_metric
def test_order_of_rows_does_not_matter(name, rng):
    metric, case = METRICS[name], CASES[name]
    truth = case.truth(rng)
    prediction = worsened(case, truth, 0.4)
    order = rng.permutation(len(truth))
    assert metric(truth[order], prediction[order]) == pytest.approx(metric(truth, prediction), rel=1e-12)


@each_metric
def test_no_rows_score_nan(name, rng):
    truth = CASES[name].truth(rng)
    assert math.isnan(METRICS[name](truth[:0], CASES[name].best(truth)[:0]))


@each_metric
def test_type_of_numbers_does_not_matter(name, rng):
    metric, case = METRICS[name], CASES[name]
    truth = case.truth(rng)
    prediction = worsened(case, truth, 0.4)
    wanted = metric(truth, prediction)
    assert isinstance(wanted, float)
    assert metric(truth.tolist(), prediction.tolist()) == pytest.approx(wanted, rel=1e-12)
    if truth.dtype.kind in "iu":
        for kind in (np.int8, np.uint16, np.float32, np.float64, object):
            assert metric(truth.astype(kind), prediction) == pytest.approx(wanted, rel=1e-12)


@each_metric
def test_arguments_are_not_changed(name, rng):
    metric, case = METRICS[name], CASES[name]
    truth = case.truth(rng)
    prediction = worsened(case, truth, 0.4)
    before = truth.copy(), prediction.copy()
    metric(truth, prediction)
    assert np.array_equal(truth, before[0])
    assert np.array_equal(prediction, before[1])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.sklearn])
def test_value_is_that_of_scikit_learn(name, rng):
    case = CASES[name]
    for share in (0, 0.2, 0.7):
        truth = case.truth(rng)
        prediction = worsened(case, truth, share)
        assert METRICS[name](truth, prediction) == pytest.approx(case.sklearn(truth, prediction), rel=1e-12)


def test_lwlrap_counts_ties_as_scikit_learn_does(rng):
    truth = several_indicators(rng)
    scores = rng.integers(0, 4, truth.shape)
    wanted = CASES["lwlrap_score"].sklearn(truth, scores)
    assert METRICS["lwlrap_score"](truth, scores) == pytest.approx(wanted, rel=1e-12)


def test_log_loss_of_binary_labels_is_that_of_scikit_learn(rng):
    truth, probability = binary(rng), rng.random(SIZE)
    wanted = sklearn.metrics.log_loss(truth, probability)
    assert METRICS["log_loss"](truth, probability) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", ["root_mean_squared_error", "root_mean_squared_log_error", "mean_absolute_error"])
def test_errors_of_several_outputs_are_those_of_scikit_learn(name, rng):
    truth, prediction = rng.gamma(2, size=(2, 50, 3))
    assert METRICS[name](truth, prediction) == pytest.approx(CASES[name].sklearn(truth, prediction), rel=1e-12)


@pytest.mark.parametrize("k", [3, 5, 12])
def test_map_of_random_guesses_is_that_of_scikit_learn(k, rng):
    right = [" ".join(map(str, rng.integers(0, 9, 4 if k == 12 else 1))) for _ in range(200)]
    guesses = [" ".join(map(str, rng.integers(0, 9, rng.integers(1, 16)))) for _ in range(200)]
    assert METRICS[f"map_at_{k}_score"](right, guesses) == pytest.approx(sklearn_map(k)(right, guesses), rel=1e-12)


def test_jaccard_of_random_words_is_that_of_scikit_learn(rng):
    one, other = ([" ".join(rng.choice(list("aAbBcCd"), rng.integers(1, 6))) for _ in range(200)] for _ in range(2))
    assert METRICS["word_jaccard_score"](one, other) == pytest.approx(sklearn_jaccard(one, other), rel=1e-12)


ERRORS = ["log_loss", "root_mean_squared_error", "root_mean_squared_log_error", "mean_absolute_error"]


@pytest.mark.parametrize("name", ERRORS)
def test_a_missing_number_makes_the_score_nan(name):
    assert math.isnan(METRICS[name]([0.0, 1.0], [0.0, math.nan]))


def test_unknown_metric_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'accuracy_score'"):
        get_metric("acuracy_score")


@pytest.mark.parametrize("module", [info.name for info in pkgutil.iter_modules(mlebench.metrics.__path__)])
def test_examples_in_docstrings_run(module):
    results = doctest.testmod(importlib.import_module(f"mlebench.metrics.{module}"))
    assert results.attempted
    assert not results.failed


@each_metric
def test_docstring_has_the_sections_that_a_reader_needs(name):
    text = METRICS[name].function.__doc__
    for section in ("Parameters\n", "Returns\n", "Examples\n"):
        assert section in text
    assert "NaN" in text
    assert ("lower is better" if METRICS[name].lower_is_better else "higher is better") in text
