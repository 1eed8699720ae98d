from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.ranking import (
    count_inversions,
    map_at_3_score,
    map_at_5_score,
    map_at_12_score,
    split_guesses,
)


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


WORD = re.compile("[a-z]")


@pytest.mark.parametrize("text", ["a b c", " a  b\tc ", "a\u00a0b\nc"])
def test_guesses_are_split_at_any_white_space(text):
    assert split_guesses([text], ["1.jpg"], most=3, form=WORD, kind="a word") == [["a", "b", "c"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"^The guesses for '2\.jpg' are missing\.$"),
        ("a b c d", r"^There are 4 guesses for '2\.jpg', more than 3\.$"),
        ("a 7", r"^The guess '7' for '2\.jpg' is not a word\.$"),
    ],
)
def test_no_guess_too_many_and_other_words_are_refused(text, message):
    with pytest.raises(InvalidSubmissionError, match=message):
        split_guesses(["a", text], ["1.jpg", "2.jpg"], most=3, form=WORD, kind="a word")
