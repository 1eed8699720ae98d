"""Pairs, against those that loops over all possible pairs find."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.metrics.pairing import match_greedily, pair_inside, pair_up

groups = st.lists(st.integers(0, 4), max_size=12).map(lambda numbers: np.array(numbers, dtype=np.int64))
pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=20, unique=True).map(sorted)
coordinate = st.one_of(st.integers(-1, 5), st.sampled_from([0.5, 1.5, math.inf, -math.inf, math.nan])).map(float)
boxes = st.lists(st.tuples(*[st.integers(0, 4)] * 4, st.integers(0, 2)), max_size=8)
points = st.lists(st.tuples(coordinate, coordinate, st.integers(-1, 3)), max_size=40)


@settings(max_examples=60, deadline=None)
@given(groups, groups)
def test_pairs_are_all_that_share_a_group(left, right):
    found = list(zip(*(rows.tolist() for rows in pair_up(left, right)), strict=True))
    assert found == [(i, j) for i in range(len(left)) for j in range(len(right)) if left[i] == right[j]]


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_matches_leave_out_what_is_taken(pairs):
    matches = match_greedily(*np.array(pairs, dtype=np.int64).reshape(-1, 2).T).tolist()
    taken = [pairs[place] for place in matches]
    assert len({one for one, _ in taken}) == len({other for _, other in taken}) == len(taken)
    for place, (one, other) in enumerate(pairs):
        before = [pair for pair in taken if pairs.index(pair) <= place]
        assert any(one == pair[0] or other == pair[1] for pair in before)


def as_arrays(boxes, points):
    box, point = np.array(boxes, dtype=float).reshape(-1, 5), np.array(points, dtype=float).reshape(-1, 3)
    return box[:, :2], box[:, 2:4], box[:, 4].astype(int), point[:, :2], point[:, 2].astype(int)


def inside(boxes, points):
    """Return all pairs of a box and a point inside it, found by trying each."""
    return [
        (number, place)
        for number, (left, bottom, right, top, group) in enumerate(boxes)
        for place, (x, y, other) in enumerate(points)
        if group == other and left < x < right and bottom < y < top
    ]


@settings(max_examples=300, deadline=None)
@given(boxes, points)
def test_points_are_paired_with_the_boxes_around_them(boxes, points):
    found = pair_inside(*as_arrays(boxes, points))
    assert list(zip(*(rows.tolist() for rows in found), strict=True)) == inside(boxes, points)


@settings(max_examples=300, deadline=None)
@given(boxes, points)
def test_boxes_take_the_same_points_where_surplus_ones_are_left_out(boxes, points):
    every = pair_inside(*as_arrays(boxes, points))
    few = pair_inside(*as_arrays(boxes, points), at_most=max(1, len(boxes)))
    taken = [[side[match_greedily(*found)].tolist() for side in found] for found in (every, few)]
    assert taken[0] == taken[1]


def test_the_number_of_pairs_does_not_grow_with_points_beside_or_crowded_in_a_box():
    place = np.arange(50.0)
    low = np.column_stack([place * 0, place * 10])
    group = np.zeros(50, dtype=int)
    beside = np.tile([-1.0, 5], (10_000, 1))
    crowd = np.tile([5.0, 5], (10_000, 1))
    points = np.concatenate([beside, crowd])
    pairs = pair_inside(low, low + 9, group, points, np.zeros(len(points), dtype=int), at_most=50)
    assert len(pairs[0]) == 50
