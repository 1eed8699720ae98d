from __future__ import annotations

import pandas as pd

from mlebench.preparation import number_shuffled, one_hot


def test_one_hot_has_a_column_for_each_class_even_without_rows_of_it():
    frame = pd.DataFrame({"id": [7, 5], "kind": ["b", "a"]}, index=[3, 9])
    assert one_hot(frame, "id", "kind", ["a", "b", "c"]).to_dict("list") == {
        "id": [7, 5],
        "a": [0, 1],
        "b": [1, 0],
        "c": [0, 0],
    }


def test_rows_are_numbered_in_an_order_that_depends_on_the_seed_only():
    frame = pd.DataFrame({"x": range(50)}, index=range(100, 150))
    numbered = number_shuffled(frame, seed=3)
    assert list(numbered.columns) == ["id", "x"]
    assert numbered["id"].tolist() == list(range(50))
    assert numbered["x"].tolist() != list(range(50))
    assert (numbered.index - 100).tolist() == numbered["x"].tolist()
    assert numbered.equals(number_shuffled(frame, seed=3))
    assert not numbered.equals(number_shuffled(frame, seed=4))
    assert list(frame.columns) == ["x"]


def test_a_table_without_rows_can_be_numbered():
    assert number_shuffled(pd.DataFrame({"x": []})).columns.tolist() == ["id", "x"]
