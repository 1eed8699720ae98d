from __future__ import annotations

import math

import numpy as np
import pytest
import sklearn.metrics

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.classification import (
    label_set_f1_micro_all_score,
    label_set_f1_micro_score,
    label_set_f_samples_score,
    log_loss,
    quadratic_weighted_kappa_score,
    rescaled_log_loss,
    roc_auc_score,
)


def test_auc_counts_ties_as_scikit_learn_does():
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, (200, 3))
    scores = rng.integers(0, 6, (200, 3)) / 5
    wanted = sklearn.metrics.roc_auc_score(truth, scores)
    assert roc_auc_score(truth, scores) == pytest.approx(wanted, rel=1e-12)


def test_auc_of_one_class_is_nan():
    assert math.isnan(roc_auc_score([1, 1], [0.1, 0.9]))


def test_log_loss_of_a_zero_on_the_truth_is_36():
    assert log_loss([1], [0.0]) == pytest.approx(-math.log(np.finfo(float).eps))


def test_kappa_counts_steps_between_labels_that_occur():
    kappa = quadratic_weighted_kappa_score
    assert kappa([1, 2, 6], [1, 6, 6]) == kappa([1, 2, 3], [1, 3, 3])
    assert kappa([1, 2, 6], [4, 4, 4]) == 0
    assert math.isnan(kappa([3, 3], [3, 3]))


def test_labels_that_no_sample_has_cost_nothing():
    score = label_set_f1_micro_score
    assert score(["a", "b c"], ["a unheard-of", "b b\tother"]) == score(["a", "b c"], ["a", "b"]) == pytest.approx(0.8)
    assert score(["a"], [""]) == 0


@pytest.mark.parametrize("scale", [range(5), range(-2, 7), ["a", "b", "c"]])
def test_kappa_on_a_scale_is_that_of_scikit_learn_with_all_labels(scale, seed):
    rng = np.random.default_rng(seed)
    for size in (2, 3, 40, 400):
        truth, noise = rng.choice(scale, (2, size))
        truth[0] = scale[0]
        noise[0] = scale[-1]
        prediction = np.where(rng.random(size) < 0.5, truth, noise)
        prediction[0] = scale[-1]
        wanted = sklearn.metrics.cohen_kappa_score(truth, prediction, labels=list(scale), weights="quadratic")
        assert quadratic_weighted_kappa_score(truth, prediction, labels=scale) == pytest.approx(wanted, rel=1e-12)


def test_kappa_counts_steps_on_the_scale_that_is_given():
    kappa = quadratic_weighted_kappa_score
    assert kappa([0, 4, 0, 4], [0, 4, 1, 4], range(5)) > kappa([0, 4, 0, 4], [0, 4, 3, 4], range(5))
    assert kappa([0, 4, 0, 4], [2, 2, 2, 2], range(5)) == 0
    assert kappa([3, 3], [3, 3], range(5)) == 1
    assert kappa([3, 3], [2, 2], range(5)) == 0
    assert math.isnan(kappa([], [], range(5)))


@pytest.mark.parametrize("label", [-1, 5, 1000, 2.5, math.nan])
def test_kappa_refuses_a_label_that_is_not_on_the_scale(label):
    with pytest.raises(InvalidSubmissionError, match=r"The label .* is not on the scale from 0 to 4\."):
        quadratic_weighted_kappa_score([0.0, 1.0], [0.0, label], range(5))


def test_rescaled_log_loss_divides_rows_by_their_sum_before_it_clips():
    truth = [[1, 0, 0], [0, 0, 1]]
    wanted = rescaled_log_loss(truth, [[1 / 3] * 3, [0.5, 0.25, 0.25]])
    assert rescaled_log_loss(truth, [[0.33] * 3, [4, 2, 2]]) == pytest.approx(wanted, rel=1e-12)
    assert rescaled_log_loss([[1, 0]], [[0, 5e-324]]) == pytest.approx(-math.log(1e-15))


def test_rescaled_log_loss_of_binary_labels_is_that_of_both_columns(seed):
    rng = np.random.default_rng(seed)
    truth, probability = rng.integers(0, 2, 50), rng.random(50).round(1)
    columns = rescaled_log_loss(np.eye(2)[truth], np.column_stack([1 - probability, probability]))
    assert rescaled_log_loss(truth, probability) == pytest.approx(columns, rel=1e-12)


@pytest.mark.parametrize("row", [[0, 0], [1, -1], [1e308, 1e308], [math.nan, 1]])
def test_rescaled_log_loss_refuses_rows_that_cannot_be_rescaled(row):
    with pytest.raises(InvalidSubmissionError, match="must have a positive sum"):
        rescaled_log_loss([[1, 0], [0, 1]], [[1, 0], row])


def test_labels_that_no_sample_has_cost_something():
    for score in (label_set_f1_micro_all_score, label_set_f_samples_score):
        assert score(["a", "b c"], ["a unheard-of", "b c"]) < score(["a", "b c"], ["a", "b c"]) == 1


def test_samples_without_labels_agree_with_no_prediction():
    assert label_set_f_samples_score(["", "", "a", "a"], [" ", "a", "", "a a"]) == 0.5
    assert label_set_f1_micro_all_score(["", ""], ["", ""]) == 1


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_of_random_label_sets_is_that_of_scikit_learn(beta, seed):
    rng = np.random.default_rng(seed)
    truth, prediction = rng.random((2, 200, 9)) < 0.3
    texts = [[" ".join("abcdefghi"[k] for k in np.flatnonzero(row)) for row in table] for table in (truth, prediction)]
    wanted = sklearn.metrics.fbeta_score(truth, prediction, beta=beta, average="samples", zero_division=1)
    assert label_set_f_samples_score(*texts, beta) == pytest.approx(wanted, rel=1e-12)
    wanted = sklearn.metrics.f1_score(truth, prediction, average="micro")
    assert label_set_f1_micro_all_score(*texts) == pytest.approx(wanted, rel=1e-12)
