"""Arithmetic on runs of pixels, against masks built pixel by pixel."""

from __future__ import annotations

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.segmentation import Runs, decode_masks, decode_runs, dice_score, parse_integers

PIXELS = 50
masks = st.lists(st.booleans(), min_size=PIXELS, max_size=PIXELS).map(lambda cells: np.array(cells, dtype=bool))
pairs_of_masks = st.lists(st.tuples(masks, masks), max_size=4)


def encode(mask: np.ndarray) -> str:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(int), [0]])))
    return " ".join(f"{start + 1} {stop - start}" for start, stop in edges.reshape(-1, 2))


def runs_of(many: list[np.ndarray]) -> Runs:
    numbers = [parse_integers(encode(mask)) for mask in many]
    return Runs.stack([decode_runs(row[::2], row[1::2], PIXELS) for row in numbers])


@settings(max_examples=60, deadline=None)
@given(pairs_of_masks)
def test_areas_and_overlaps_are_those_of_the_pixels(pairs):
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    assert runs_of(left).areas.tolist() == [int(mask.sum()) for mask in left]
    shared = [int((a & b).sum()) for a, b in pairs]
    assert runs_of(left).overlaps(runs_of(right)).tolist() == shared
    assert runs_of(right).overlaps(runs_of(left)).tolist() == shared


@settings(max_examples=60, deadline=None)
@given(pairs_of_masks.filter(len))
def test_dice_is_that_of_the_pixels(pairs):
    shared = sum(int((a & b).sum()) for a, b in pairs)
    total = sum(int(a.sum() + b.sum()) for a, b in pairs)
    found = dice_score([encode(a) for a, _ in pairs], [encode(b) for _, b in pairs])
    assert found == pytest.approx(2 * shared / total if total else 1)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-2, PIXELS + 5), max_size=8))
def test_decoding_refuses_exactly_what_pixel_by_pixel_decoding_refuses(numbers):
    numbers = numbers[: len(numbers) // 2 * 2]
    starts, lengths = numbers[::2], numbers[1::2]
    mask = np.zeros(PIXELS, dtype=int)
    for start, length in zip(starts, lengths, strict=True):
        if start > 0 and length > 0:
            mask[start - 1 : start - 1 + length] += 1
    fine = starts == sorted(starts) and all(n > 0 for n in numbers) and (mask <= 1).all()
    if fine:
        assert Runs.stack([decode_runs(starts, lengths, PIXELS)]).areas.tolist() == [mask.sum()]
    else:
        with pytest.raises(InvalidSubmissionError):
            decode_runs(starts, lengths, PIXELS)


words = st.sampled_from(
    [*map(str, range(9)), "40", "-1", "+2", "1_0", "x", "\u0663", f"{2**63}", "0" * 20 + "1", " ", "\t"]
)
codes = st.lists(words, max_size=6).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(st.lists(codes | st.sampled_from(["1 2 5 3", "2 1", "", math.nan]), max_size=5), st.integers(1, 60))
def test_masks_are_decoded_together_as_one_by_one(codes, pixels):
    sizes = [pixels + number for number in range(len(codes))]
    try:
        single = [decode_masks([id], codes[id : id + 1], sizes[id]) for id in range(len(codes))]
    except InvalidSubmissionError as error:
        with pytest.raises(InvalidSubmissionError) as caught:
            decode_masks(range(len(codes)), codes, sizes)
        assert str(caught.value) == str(error)
    else:
        together = decode_masks(range(len(codes)), codes, sizes)
        wanted = Runs.stack([(runs.start, runs.stop) for runs in single])
        assert all(np.array_equal(*pair) for pair in zip(astuple(together), astuple(wanted), strict=True))


@pytest.mark.parametrize("text", ["1 x", "1.0 2", "1,2", "9" * 5000 + " 1", f"{2**63} 1", f"1 {2**64}", "\x00"])
def test_codes_that_are_no_numbers_are_refused_in_one_sentence(text, is_one_sentence):
    with pytest.raises(InvalidSubmissionError) as caught:
        numbers = parse_integers(text)
        decode_runs(numbers[::2], numbers[1::2], PIXELS)
    assert is_one_sentence(str(caught.value))


@pytest.mark.parametrize("text", [f"1 {2**63 - 1}", f"{2**63 - 1} 1", "  +1\t0_1 \n"])
def test_extreme_numbers_are_decoded(text):
    numbers = parse_integers(text)
    start, stop = decode_runs(numbers[::2], numbers[1::2], PIXELS)
    assert (stop <= PIXELS).all()
    assert (start < stop).all()


def test_many_large_masks_take_no_pixels():
    runs = Runs.stack([decode_runs([1], [2**62], 2**40)] * 1000)
    assert runs.areas.sum() == 1000 * 2**40
    assert (runs.overlaps(runs) == 2**40).all()


def test_dice_refuses_an_odd_number_of_numbers():
    with pytest.raises(InvalidSubmissionError, match="pairs"):
        dice_score(["1 2"], ["1 2 3"])


def test_a_run_whose_end_is_beyond_64_bits_marks_nothing():
    longest = 2**63 - 1
    codes = [f"1 {longest}", f"2 {longest}", f"{longest} {longest}", f"2 {longest} 3 4"]
    assert decode_masks("abcd", codes, pixels=10).areas.tolist() == [10, 0, 0, 4]


@pytest.mark.parametrize("code", ["7", "1 2 5", "1 2 5 2 9"])
def test_strictly_decoded_codes_have_a_length_for_each_start(code):
    with pytest.raises(InvalidSubmissionError, match="mask of 'b' is refused: A run-length code has a start without a"):
        decode_masks(["a", "b"], ["1 2", code], 20, strict=True)
    assert decode_masks(["a", "b"], ["1 2", ""], 20, strict=True).areas.tolist() == [2, 0]
