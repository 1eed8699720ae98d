"""Detected objects: parse prediction strings, and measure the overlap of boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.metrics.words import split_in_portions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Objects:
    """The objects of many prediction strings, concatenated."""

    text: Integers
    """Number of the object's prediction string from 0; shape (n_objects,)."""
    label: NDArray[Any]
    """Labels, or None for objects without; shape (n_objects,)."""
    numbers: Floats
    """Numbers; shape (n_objects, n_numbers)."""


def parse_objects(
    names: Iterable[object], texts: Iterable[object], width: int, label: int | None = None, separator: str | None = None
) -> Objects:
    """Parse prediction strings in which each object has a fixed number of words: numbers, and perhaps a label.

    Parameters
    ----------
    names : iterable of length n_strings
        Ids for messages.
    texts : iterable of length n_strings
        Prediction strings; the empty text holds no objects.
    width
        Number of words of an object. Words other than the label are parsed by `float`.
    label
        Position of the label among the words of an object, from 0; None if there is no label.
    separator
        Text between words; by default any white space.

    Returns
    -------
    Objects
        All objects in order.

    Raises
    ------
    InvalidSubmissionError
        A string is not text, has an incomplete object, or has a word that is not a number. The message names the id.

    Examples
    --------
    >>> found = parse_objects(["a", "b"], ["car 1 2 bus 3 4", "car 5 6"], width=3, label=0)
    >>> found.text.tolist(), found.label.tolist(), found.numbers.tolist()
    ([0, 0, 1], ['car', 'bus', 'car'], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    """
    counts: list[int] = []
    labels: list[str] = []
    numbers = [np.zeros(0)]
    for name, text in zip(names, texts, strict=True):
        if not isinstance(text, str):
            what = "is missing" if text != text else f"must be text, but it is {plain(text)}"
            raise InvalidSubmissionError(f"The prediction for {plain(name)} {what}.")
        count, odd = 0, None
        for words in split_in_portions(text, separator):
            place = count
            count += len(words)
            if label is not None:
                first = (label - place) % width
                labels += words[first::width]
                del words[first::width]
            try:
                numbers.append(np.array(list(map(float, words))))
            except ValueError:
                odd = odd or plain(next(word for word in words if not _is_number(word)))
        if count % width:
            raise InvalidSubmissionError(
                f"The prediction for {plain(name)} must have {width} words per object, but it has {count}."
            )
        if odd:
            raise InvalidSubmissionError(f"The prediction for {plain(name)} holds {odd}, not a number.")
        counts.append(count // width)
    return Objects(
        np.repeat(np.arange(len(counts)), counts),
        np.array(labels if label is not None else [None] * sum(counts), dtype=object),
        np.concatenate(numbers).reshape(sum(counts), width - (label is not None)),
    )


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def box_iou(left: Floats, right: Floats) -> Floats:
    """Intersection over union of boxes, row by row.

    Parameters
    ----------
    left, right : array of shape (n_boxes, 4)
        Corners: x_min, y_min, x_max and y_max. Areas have a sign: negative if one side is reversed.

    Returns
    -------
    array of shape (n_boxes,)
        In [0, 1] for boxes without reversed sides; 0 where the union is not positive, NaN where it is NaN.

    Examples
    --------
    >>> box_iou(np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 0, 3, 2]])).tolist()
    [0.3333333333333333]
    """
    with np.errstate(all="ignore"):
        sides = np.minimum(left[:, 2:], right[:, 2:]) - np.maximum(left[:, :2], right[:, :2])
        shared = np.maximum(sides, 0).prod(axis=1)
        areas = [(box[:, 2:] - box[:, :2]).prod(axis=1) for box in (left, right)]
        union = areas[0] + areas[1] - shared
        iou: Floats = np.where(union <= 0, 0, shared / union)
    return iou


def rotated_box_iou(left: Floats, right: Floats) -> Floats:
    """Intersection over union of upright boxes in space, row by row.

    Parameters
    ----------
    left, right : array of shape (n_boxes, 7)
        Center x, y and z; width, length and height; yaw in radians, the angle in the plane from the x axis to the side
        of `length`. Sizes are positive.

    Returns
    -------
    array of shape (n_boxes,)
        In [0, 1]; 0 for boxes that do not overlap.

    Examples
    --------
    >>> box = np.array([[0.0, 0, 0, 2, 4, 1, 0]])
    >>> rotated_box_iou(box, box + [1, 0, 0, 0, 0, 0, 0]).tolist()
    [0.6]
    """
    with np.errstate(all="ignore"):
        low, high = (np.stack([box[:, 2] + side * box[:, 5] for box in (left, right)]) for side in (-0.5, 0.5))
        height = high.min(axis=0) - low.max(axis=0)
        reach = sum(np.hypot(box[:, 3], box[:, 4]) / 2 for box in (left, right))
        near = np.flatnonzero((height > 0) & (np.hypot(*(left - right)[:, :2].T) < reach))
        one, other = left[near], right[near]
        shared = height[near] * _shared_ground(one, other)
        union = one[:, 3:6].prod(axis=1) + other[:, 3:6].prod(axis=1) - shared
        iou = np.zeros(len(left))
        iou[near] = np.clip(shared / union, 0, 1)
    return iou


def ground_corners(box: Floats) -> Floats:
    """Return the corners in the plane of the boxes of `rotated_box_iou`, counter-clockwise: shape (n_boxes, 4, 2)."""
    cos, sin = np.cos(box[:, 6]), np.sin(box[:, 6])
    along = np.stack([cos, sin], axis=1) * box[:, 4:5] / 2
    across = np.stack([-sin, cos], axis=1) * box[:, 3:4] / 2
    center = box[:, :2]
    corners = [center + along - across, center + along + across, center - along + across, center - along - across]
    return np.stack(corners, axis=1)


def _shared_ground(left: Floats, right: Floats) -> Floats:
    """Return the area that rectangles share, row by row.

    In coordinates where the right rectangle is |x| <= a, |y| <= b, Green's theorem gives the area as the integral of
    x dy, with x clipped to [-a, a], along the parts of the left rectangle's sides with |y| <= b.
    """
    moved = np.concatenate([left[:, :2] - right[:, :2], left[:, 2:]], axis=1)
    cos, sin = np.cos(right[:, 6:]), np.sin(right[:, 6:])
    x, y = np.moveaxis(ground_corners(moved), 2, 0)
    x, y = x * cos + y * sin, y * cos - x * sin
    dx, dy = np.roll(x, -1, axis=1) - x, np.roll(y, -1, axis=1) - y
    a, b = right[:, 4:5] / 2, right[:, 3:4] / 2

    def within(start: Floats, step: Floats, limit: Floats) -> tuple[Floats, Floats]:
        """Return the shares of a side between which |start + share * step| is at most the limit."""
        step = np.where(step == 0, 1, step)  # any share is right then
        return (-np.sign(step) * limit - start) / step, (np.sign(step) * limit - start) / step

    def x_at(share: Floats) -> Floats:
        cut: Floats = np.clip(x + share * dx, -a, a)
        return cut

    first, last = (np.clip(share, 0, 1) for share in within(y, dy, b))
    enter, leave = (np.clip(share, first, last) for share in within(x, dx, a))
    parts = (enter - first) * x_at(first) + (leave - enter) * (x_at(enter) + x_at(leave)) / 2
    area: Floats = ((parts + (last - leave) * x_at(last)) * dy).sum(axis=1)
    return np.maximum(area, 0)
