"""Splits: scikit-learn's to the row, and groups kept together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.model_selection
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import RawDataError
from mlebench.preparation import (
    draw_groups,
    group_positions,
    group_split,
    linked_groups,
    shuffle_rows,
    train_test_split,
)


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


grouped_rows = st.lists(
    st.tuples(st.sampled_from([*"abcdefgh", None]), st.sampled_from("xyz"), st.booleans()), min_size=4
)


@settings(max_examples=100, deadline=None)
@given(rows=grouped_rows, needed=st.integers(1, 6), seed=st.integers(0, 9))
def test_group_split_keeps_in_train_what_must_stay_there(rows, needed, seed):
    frame = pd.DataFrame(rows, columns=["group", "class", "stays"])
    try:
        train, test = group_split(
            frame, frame["group"], needed, seed, keep_in_train=frame["stays"], classes=frame["class"]
        )
    except RawDataError:
        return
    assert not test["stays"].any()
    assert test["group"].notna().all()
    assert not set(train["group"]) & set(test["group"])
    assert set(test["class"]) <= set(train["class"])
    assert len(test) >= needed
    assert sorted([*train.index, *test.index]) == list(range(len(rows)))


def test_groups_that_stay_in_train_do_not_change_the_order_of_the_others():
    frame = pd.DataFrame({"group": np.repeat(np.arange(40), 3)})
    _, test = group_split(frame, frame["group"], 30)
    stays = ~frame["group"].isin(test["group"]) & (frame["group"] % 2 == 0)
    _, again = group_split(frame, frame["group"], 30, keep_in_train=stays)
    assert again.index.equals(test.index)


def test_one_group_of_each_class_stays_in_train_and_no_more():
    frame = pd.DataFrame({"group": range(30), "class": np.arange(30) % 3})
    train, test = group_split(frame, frame["group"], 27, classes=frame["class"])
    assert sorted(train["class"]) == [0, 1, 2]
    assert len(test) == 27


def test_groups_that_hold_too_few_rows_are_an_error():
    frame = pd.DataFrame({"group": [1, 1, 2, 3]})
    with pytest.raises(RawDataError, match="hold 2 rows, but 3 are needed"):
        group_split(frame, frame["group"], 3, keep_in_train=frame["group"] == 1)


@settings(max_examples=50, deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(0, 12), st.sampled_from([*"abcdef", None])), min_size=1))
def test_items_are_of_one_group_if_a_chain_of_keys_links_them(pairs):
    frame = pd.DataFrame(pairs, columns=["item", "key"])
    found = linked_groups(frame["item"], frame["key"])
    groups = {item: {item} for item in frame["item"]}
    for key in set(frame["key"].dropna()):
        joined = set().union(*(groups[item] for item in frame["item"][frame["key"] == key]))
        groups.update(dict.fromkeys(joined, joined))
    assert found.index.tolist() == list(dict.fromkeys(frame["item"]))
    for item, group in found.items():
        assert set(found.index[found == group]) == groups[item]


@pytest.mark.parametrize("groups", [None, [3, 1, 3, 2, 1, 3]])
def test_shuffled_rows_are_the_same_rows_and_groups_stay_together(groups):
    frame = pd.DataFrame({"row": range(6), "group": groups or range(6)})
    by = None if groups is None else frame["group"]
    orders = {tuple(shuffle_rows(frame, seed, by)["row"]) for seed in range(300)}
    assert len(orders) > 200 if groups is None else len(orders) == 6
    for order in orders:
        assert sorted(order) == list(range(6))
        if groups is not None:
            shown = frame["group"].to_numpy()[list(order)]
            assert np.count_nonzero(np.diff(shown)) == 2
            assert all(np.diff([row for row in order if groups[row] == 3]) > 0)
