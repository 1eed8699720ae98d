"""Splits: scikit-learn's to the row, and groups kept together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.model_selection
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.preparation import draw_groups, group_positions, group_split, train_test_split


@settings(max_examples=50, deadline=None)
@given(
    rows=st.integers(2, 300),
    test_size=st.one_of(st.floats(0.01, 0.5), st.integers(1, 100)),
    seed=st.integers(0, 2**32 - 1),
)
def test_random_split_is_that_of_scikit_learn(rows, test_size, seed):
    if isinstance(test_size, int):
        test_size = min(test_size, rows - 1)
    frame = pd.DataFrame({"row": range(rows)})
    wanted = sklearn.model_selection.train_test_split(frame, test_size=test_size, random_state=seed)
    for ours, theirs in zip(train_test_split(frame, test_size, seed), wanted, strict=True):
        assert ours.index.tolist() == theirs.index.tolist()


@settings(max_examples=50, deadline=None)
@given(groups=st.lists(st.sampled_from("abcdefghij"), min_size=2), share=st.floats(0.05, 0.6))
def test_group_split_keeps_groups_together_and_loses_no_row(groups, share):
    frame = pd.DataFrame({"group": groups})
    train, test = group_split(frame, frame["group"], share)
    assert not set(train["group"]) & set(test["group"])
    assert sorted([*train.index, *test.index]) == list(range(len(groups)))
    assert train.index.is_monotonic_increasing
    assert test.index.is_monotonic_increasing
    largest = int(frame["group"].value_counts().iloc[0])
    assert share * len(groups) <= len(test) + 1e-9
    assert len(test) < share * len(groups) + largest


def test_group_split_depends_on_the_seed_only():
    frame = pd.DataFrame({"group": np.arange(100) // 4})
    first, again, other = (group_split(frame, frame["group"], 0.2, seed)[1] for seed in (1, 1, 2))
    assert first.index.equals(again.index)
    assert not first.index.equals(other.index)


@settings(max_examples=50, deadline=None)
@given(groups=st.lists(st.sampled_from("jihgfedcba"), min_size=2), share=st.floats(0.05, 0.5), seed=st.integers(0, 9))
def test_drawn_groups_are_those_of_scikit_learn_among_groups_as_they_appear(groups, share, seed):
    names = list(dict.fromkeys(groups))
    if len(names) < 2:
        return
    _, wanted = sklearn.model_selection.train_test_split(names, test_size=share, random_state=seed)
    in_test = draw_groups(pd.Series(groups, index=range(7, len(groups) + 7)), share, seed)
    assert in_test.tolist() == [name in wanted for name in groups]


@settings(max_examples=50, deadline=None)
@given(groups=st.lists(st.sampled_from([*"jihgfedcba", None]), min_size=2), share=st.floats(0.05, 0.5))
def test_positions_by_group_are_those_of_groups_put_one_behind_the_other(groups, share):
    frame = pd.DataFrame({"group": groups})
    lists = [part.index.tolist() for _, part in frame.groupby("group")]
    if len(lists) < 2:
        return
    wanted = sklearn.model_selection.train_test_split(lists, test_size=share, random_state=0)
    for ours, theirs in zip(group_positions(frame["group"], share), wanted, strict=True):
        assert ours.tolist() == [row for rows in theirs for row in rows]


@pytest.mark.parametrize("rows", [0, 1])
def test_splitting_next_to_nothing_puts_all_into_the_test_part(rows):
    train, test = train_test_split(pd.DataFrame({"row": range(rows)}), 0.5)
    assert (len(train), len(test)) == (0, rows)
