from __future__ import annotations

import pandas as pd
import pytest

from mlebench.scan.targets import code_like, code_targets


def test_columns_with_one_true_class_per_row_are_one_target():
    answers = pd.DataFrame({"cat": [1, 0, 0], "dog": [0, 1, 0], "owl": [0, 0, 1]})
    (target,) = code_targets(answers, ["cat", "dog", "owl"])
    assert target.classes == ("cat", "dog", "owl")
    train = pd.DataFrame({"species": ["dog", "dog", "owl", "cat"], "size": [1, 2, 3, 4]})
    assert code_like(target, train).values.tolist() == [1, 1, 2, 0]


@pytest.mark.parametrize(
    ("cells", "form"),
    [
        ([0, 1, 0, 1, 1, 0], "class"),
        ([0.5, 1.25, 3.5, 0.25, 2.5, 9.5], "number"),
        (["a", "b", "a", "b", "a", "b"], "class"),
        (["a", "bb", "ccc", "d", "ee", "f g"], "length"),
        (["a", "b", "c", "d", "e", "f"], "class"),
    ],
)
def test_a_column_is_classes_numbers_or_text_of_some_length(cells, form):
    (target,) = code_targets(pd.DataFrame({"y": cells}), ["y"])
    assert target.form == form


def test_numbers_are_classes_where_labels_are_declared():
    (target,) = code_targets(pd.DataFrame({"y": range(100)}), ["y"], are_labels=True)
    assert target.form == "class"


def test_a_list_of_the_classes_is_no_train_table():
    (target,) = code_targets(pd.DataFrame({"y": [3, 5, 3, 5, 5]}), ["y"], are_labels=True)
    assert code_like(target, pd.DataFrame({"y": [3, 5], "name": ["x", "z"]})) is None


def test_true_and_false_are_the_same_as_one_and_zero():
    (target,) = code_targets(pd.DataFrame({"y": [True, False, True, False]}), ["y"])
    assert code_like(target, pd.DataFrame({"y": [1, 0, 1]})).values.tolist() == [1, 0, 1]
