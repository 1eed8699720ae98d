"""Detected objects, against shapely and against what is done one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely.geometry import box as rectangle
from shapely.geometry.polygon import Polygon

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics import words
from mlebench.metrics.detection import (
    box_iou,
    ground_corners,
    parse_objects,
    rotated_box_iou,
)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_objects_are_read_in_order():
    found = parse_objects("abc", ["1 2 x 3 4 y", "", "1e400 nan z"], width=3, label=2, separator=" ")
    assert found.text.tolist() == [0, 0, 2]
    assert found.label.tolist() == ["x", "y", "z"]
    assert found.numbers[:2].tolist() == [[1, 2], [3, 4]]
    assert math.isinf(found.numbers[2, 0])
    assert math.isnan(found.numbers[2, 1])


def test_objects_without_labels_are_numbers_alone():
    found = parse_objects("ab", ["1 2\t3\n4", " "], width=2)
    assert found.numbers.tolist() == [[1, 2], [3, 4]]
    assert found.label.tolist() == [None, None]
    assert parse_objects([], [], width=2).numbers.shape == (0, 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (math.nan, "is missing"),
        (5, "must be text"),
        ("1 2 3", "2 words per object"),
        ("1  2", "2 words per object"),
        ("1 2 ", "2 words per object"),
        ("1 two", "'two', not a number"),
        ("1 ", "'', not a number"),
    ],
)
def test_odd_predictions_are_refused_by_name(text, reason):
    with pytest.raises(InvalidSubmissionError, match=f"for 'b' .*{reason}"):
        parse_objects("ab", ["1 2", text], width=2, separator=" ")


@pytest.mark.parametrize("separator", [" ", None])
@pytest.mark.parametrize(
    "text", ["1 x 2 33 y 444 ", "1 x 2 33 y 4e4", "1  x 2", "1 x y 2 z 3", " ", "1\t x\u2003 2 \n"]
)
def test_long_texts_are_split_in_pieces_as_at_once(text, separator, monkeypatch):
    def outcome(piece):
        monkeypatch.setattr(words, "PORTION", piece)
        try:
            found = parse_objects(["a"], [text], width=3, label=1, separator=separator)
        except InvalidSubmissionError as error:
            return str(error)
        return found.text.tolist(), found.label.tolist(), found.numbers.tolist()

    assert [outcome(piece) for piece in range(20)] == [outcome(1000)] * 20


def test_overlap_of_boxes_is_that_of_shapely(rng):
    corner = rng.integers(0, 6, (2, 300, 2))
    left, right = np.concatenate([corner, corner + rng.integers(1, 6, corner.shape)], axis=2).astype(float)
    wanted = [one.intersection(other).area / one.union(other).area for one, other in polygons(left, right, rectangle)]
    assert box_iou(left, right) == pytest.approx(wanted, rel=1e-12)


def test_boxes_that_are_turned_around_overlap_nothing():
    boxes = np.array([[0, 0, 2, 2], [2, 0, 0, 2], [2, 2, 0, 0], [0, 0, 0, 0], [0, 0, np.inf, 2], [np.nan, 0, 2, 2]])
    iou = box_iou(boxes, np.tile([0.0, 0, 2, 2], (6, 1)))
    assert iou[:5].tolist() == [1, 0, 0, 0, 0]
    assert math.isnan(iou[5])


def polygons(left, right, make):
    return zip((make(*row) for row in left), (make(*row) for row in right), strict=True)


def boxes_in_space(rng, count):
    center, size = rng.normal(0, [3, 3, 1], (count, 3)), rng.uniform(0.5, [3, 9, 3], (count, 3))
    return np.column_stack([center, size, rng.uniform(-7, 7, count)])


def iou_in_space(one, other):
    first, second = (Polygon(ground_corners(box[np.newaxis])[0]) for box in (one, other))
    low, high = max(one[2] - one[5] / 2, other[2] - other[5] / 2), min(one[2] + one[5] / 2, other[2] + other[5] / 2)
    shared = first.intersection(second).area * max(high - low, 0)
    return shared / (math.prod(one[3:6]) + math.prod(other[3:6]) - shared)


def test_overlap_of_rotated_boxes_is_that_of_shapely(rng):
    left, right = boxes_in_space(rng, 500), boxes_in_space(rng, 500)
    right[:100] = left[:100] + rng.normal(0, 0.05, (100, 7))
    wanted = [iou_in_space(one, other) for one, other in zip(left, right, strict=True)]
    assert rotated_box_iou(left, right) == pytest.approx(wanted, abs=1e-9)
    assert rotated_box_iou(right, left) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("turn", [0, math.pi, -math.pi, 2 * math.pi])
def test_box_turned_by_half_a_circle_is_the_same(rng, turn):
    boxes = boxes_in_space(rng, 200)
    turned = boxes + np.array([0, 0, 0, 0, 0, 0, turn])
    assert rotated_box_iou(boxes, turned) == pytest.approx(np.ones(200), abs=1e-12)
    far = boxes + np.array([1000, 0, 0, 0, 0, 0, turn])
    assert not rotated_box_iou(boxes, far).any()


def test_box_turned_by_a_quarter_has_sides_exchanged(rng):
    boxes = boxes_in_space(rng, 200)
    exchanged = boxes[:, [0, 1, 2, 4, 3, 5, 6]] + np.array([0, 0, 0, 0, 0, 0, math.pi / 2])
    assert rotated_box_iou(boxes, exchanged) == pytest.approx(np.ones(200), abs=1e-12)
