from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from mlebench.metrics.ranking import count_inversions, map_at_3_score, map_at_5_score, map_at_12_score


def test_inversions_are_the_pairs_of_a_group_in_the_wrong_order():
    rng = np.random.default_rng(0)
    for number in range(100):
        sizes = rng.integers(1, 12, rng.integers(1, 6))
        lists = [rng.permutation(size) if number % 2 else rng.integers(0, 5, size) for size in sizes]
        wanted = sum(one > other for places in lists for one, other in itertools.combinations(places, 2))
        assert count_inversions(np.concatenate(lists), np.repeat(np.arange(len(sizes)), sizes)) == wanted


def test_there_are_no_inversions_without_rows():
    assert count_inversions([], []) == 0


def test_map_at_5_splits_at_single_blanks():
    score = map_at_5_score
    assert score([7, 7, 7], [" 7", 7, 7.0]) == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert score(["a", "a", "a"], ["     a", "b b b b a", math.nan]) == pytest.approx((0 + 1 / 5 + 0) / 3)


def test_map_at_12_counts_several_right_answers():
    score = map_at_12_score
    many = " ".join(map(str, range(14)))
    assert score(["a b a"], ["b a"]) == 1  # repeats in the truth are one
    assert score(["a b"], ["a a b"]) == pytest.approx((1 + 2 / 3) / 2)
    shifted = sum(k / (k + 1) for k in range(1, 12)) / 12
    assert score([many, many], [many, "x " + many]) == pytest.approx((1 + shifted) / 2)
    assert score(["7", "7"], [7, "7 "]) == 1
    assert score(["nan"], [math.nan]) == 1


def test_map_at_3_counts_the_first_hit_only():
    score = map_at_3_score
    assert score(["a"], ["b b a a"]) == pytest.approx(1 / 3)
    assert score(["a", "a", "a"], ["a a a", "b a", ""]) == pytest.approx((1 + 1 / 2 + 0) / 3)
