"""Steps of metrics for orders, against definitions."""

from __future__ import annotations

import itertools

import numpy as np

from mlebench.metrics.ranking import count_inversions


def test_inversions_are_the_pairs_of_a_group_in_the_wrong_order():
    rng = np.random.default_rng(0)
    for number in range(100):
        sizes = rng.integers(1, 12, rng.integers(1, 6))
        lists = [rng.permutation(size) if number % 2 else rng.integers(0, 5, size) for size in sizes]
        wanted = sum(one > other for places in lists for one, other in itertools.combinations(places, 2))
        assert count_inversions(np.concatenate(lists), np.repeat(np.arange(len(sizes)), sizes)) == wanted


def test_there_are_no_inversions_without_rows():
    assert count_inversions([], []) == 0
