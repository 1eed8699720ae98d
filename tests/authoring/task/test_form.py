"""The form of a submission follows from the target and the metric."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlebench.authoring.task.form import LABELS, NUMBERS, PROBABILITIES, SHORT_NAMES, choose_form, find_metric
from mlebench.authoring.task.table import Table
from mlebench.errors import RawDataError, UnknownNameError, UsageError
from mlebench.tasks.values import Values


def form_of(target, metric):
    table = Table(Path("own.csv"), pd.DataFrame({"x": range(len(target)), "y": target}), "y", None)
    return choose_form(table, find_metric(metric))


def test_each_metric_for_one_column_has_a_short_name():
    assert sorted(SHORT_NAMES.values()) == sorted((*PROBABILITIES, *LABELS, *NUMBERS))
    assert find_metric("AUC") is find_metric("roc_auc_score")


def test_a_metric_that_is_unknown_or_needs_another_form_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'rmse'"):
        find_metric("rmsee")
    with pytest.raises(UsageError, match="needs another form"):
        find_metric("map_at_5_score")


@pytest.mark.parametrize(
    ("target", "metric", "values", "classes"),
    [
        ([0, 1] * 10, "auc", Values.PROBABILITIES, (0, 1)),
        ([0.0, 1.0] * 10, "logloss", Values.PROBABILITIES, (0, 1)),
        ([1, 2] * 10, "logloss", Values.DISTRIBUTION, ("1", "2")),
        ([True, False] * 10, "accuracy", Values.LABELS, (False, True)),
        (["b", "a"] * 10, "f1", Values.LABELS, ("a", "b")),
        ([0.5, -1.5] * 10, "rmse", Values.NUMBERS, ()),
        ([0, 1.5] * 10, "rmsle", Values.NUMBERS, ()),
    ],
)
def test_the_target_and_the_metric_decide_what_is_predicted(target, metric, values, classes):
    form = form_of(target, metric)
    assert (form.values, form.classes) == (values, classes)
    assert form.has_column_per_class is (values is Values.DISTRIBUTION)


@pytest.mark.parametrize(
    ("target", "metric", "words"),
    [
        (["1", "two"] * 10, "rmse", "text such as 'two'"),
        ([True, False] * 10, "mae", "must hold numbers"),
        ([1, np.inf] * 10, "rmse", "infinite"),
        ([1, -1] * 10, "rmsle", "negative"),
        ([1, 2] * 10, "auc", "must be 0 or 1"),
        ([0.5, 1] * 10, "accuracy", "holds fractions"),
        (list(range(11)) + [0] * 9, "accuracy", "11 different values in 20 rows"),
        (["a ", "b"] * 10, "accuracy", "outer blanks"),
        (["id", "b"] * 10, "logloss", "class named 'id'"),
    ],
)
def test_a_target_that_does_not_fit_the_metric_is_refused(target, metric, words):
    with pytest.raises(RawDataError, match=words):
        form_of(target, metric)


def test_half_as_many_classes_as_rows_are_allowed():
    assert len(form_of(list(range(10)) * 2, "accuracy").classes) == 10
