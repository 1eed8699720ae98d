from __future__ import annotations

import math

import pytest

from mlebench.metrics.regression import (
    mean_absolute_error,
    pearson_correlation_score,
    root_mean_squared_error,
    root_mean_squared_log_error,
)


def test_several_outputs_are_averaged_after_the_root():
    truth, prediction = [[0, 0], [0, 0]], [[3, 1], [3, 1]]
    assert root_mean_squared_error(truth, prediction) == 2
    assert mean_absolute_error(truth, prediction) == 2


@pytest.mark.parametrize(("value", "error"), [(-1, math.inf), (-2, math.nan), (0, 0), (math.e - 1, 1)])
def test_the_log_error_is_defined_above_minus_one(value, error, recwarn):
    assert root_mean_squared_log_error([0], [value]) == pytest.approx(error, nan_ok=True)
    assert not recwarn.list


@pytest.mark.parametrize(
    ("truth", "prediction", "score"),
    [
        ([1, 2, 3], [-2, -4, -6], -1),
        ([1, 2, 3], [1e-200, 2e-200, 3e-200], 1),
        ([1, 2, 3], [1e200, 2e200, 3e200], 1),
        ([1, 2, 3], [7, 7, 7], math.nan),
        ([0.1, 0.1, 0.1], [1, 2, 3], math.nan),
        ([1, 2, 3], [1, math.nan, 3], math.nan),
        ([1, 2, 3], [1, math.inf, 3], math.nan),
        ([1], [1], math.nan),
        ([], [], math.nan),
    ],
)
def test_correlation_neither_depends_on_scale_nor_exists_for_constants(truth, prediction, score, recwarn):
    assert pearson_correlation_score(truth, prediction) == pytest.approx(score, nan_ok=True)
    assert not recwarn.list
