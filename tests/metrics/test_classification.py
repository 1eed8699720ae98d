from __future__ import annotations

import math

import numpy as np
import pytest
import sklearn.metrics

from mlebench.metrics.classification import (
    label_set_f1_micro_score,
    log_loss,
    quadratic_weighted_kappa_score,
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
