"""A declared split: rows or groups, with copies or without."""

import pandas as pd
import pytest

from mlebench.preparation import group_split, train_test_split
from mlebench.tasks.split import Split

ROWS = pd.DataFrame({"id": range(100), "patient": [number // 4 for number in range(100)]}).assign(
    text=lambda r: r["id"] % 40
)


def test_rows_are_split_as_train_test_split_does():
    for one, other in zip(Split(test_size=0.25, seed=3)(ROWS), train_test_split(ROWS, 0.25, seed=3), strict=True):
        assert one.equals(other)


@pytest.mark.parametrize("size", [0.25, 25])
@pytest.mark.parametrize("group", ["patient", lambda rows: rows["patient"]])
def test_groups_stay_together_in_shuffled_order(size, group):
    train, test = Split(test_size=size, unit="group")(ROWS, group=group)
    expected = group_split(ROWS, ROWS["patient"], 0.25)
    assert [sorted(part["id"]) for part in (train, test)] == [list(part["id"]) for part in expected]
    assert not set(train["patient"]) & set(test["patient"])
    assert test["id"].tolist() != sorted(test["id"])


def test_copies_of_test_rows_are_dropped_from_train_only():
    kept = Split(test_size=0.25)(ROWS, content="text")
    train, test = Split(test_size=0.25, copies="dropped")(ROWS, content="text")
    assert test.equals(kept[1])
    assert set(kept[0]["text"]) & set(test["text"])
    assert train.equals(kept[0][~kept[0]["text"].isin(test["text"])])


def test_a_key_is_asked_for_only_where_it_matters():
    def fail(rows):
        raise AssertionError

    Split(test_size=0.25)(ROWS, group=fail, content=fail)
    with pytest.raises(TypeError, match="does not tell the group"):
        Split(test_size=0.25, unit="group")(ROWS)
    with pytest.raises(TypeError, match="does not tell the content"):
        Split(test_size=0.25, copies="dropped")(ROWS)
