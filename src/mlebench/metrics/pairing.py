"""Pair detected objects with true ones: by group, by place, and one to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

PORTION = 2**16
"""Pairs that are converted to Python's integers together, to bound the memory."""


def pair_up(left: Integers, right: Integers) -> tuple[Integers, Integers]:
    """Return the positions of all pairs with the same group number, sorted by the position on the left.

    Parameters
    ----------
    left, right : arrays of shape (n_left,) and (n_right,)
        Group numbers.

    Returns
    -------
    arrays of shape (n_pairs,)
        Positions on the left and on the right.

    Examples
    --------
    >>> [rows.tolist() for rows in pair_up(np.array([7, 5, 7]), np.array([5, 7, 7]))]
    [[0, 0, 1, 2, 2], [1, 2, 0, 1, 2]]
    """
    order = np.argsort(right, kind="stable")
    first, behind = (np.searchsorted(right[order], left, side=side) for side in ("left", "right"))
    counts = behind - first
    lefts = np.repeat(np.arange(len(left)), counts)
    places = np.arange(len(lefts)) - np.repeat(np.cumsum(counts) - counts, counts)
    return lefts, order[np.repeat(first, counts) + places]


def match_greedily(left: Integers, right: Integers) -> Integers:
    """Match greedily: each item on the left takes its first free partner on the right.

    Parameters
    ----------
    left, right : arrays of shape (n_pairs,)
        The items of each possible pair. Pairs are tried in the order given; the pairs of one item begin with the
        partner that it prefers. Each item is matched once at most.

    Returns
    -------
    array of shape (n_matches,)
        Positions of the matched pairs.

    Examples
    --------
    >>> match_greedily(np.array([0, 0, 1, 1]), np.array([5, 6, 5, 6])).tolist()
    [0, 3]
    """
    matched, taken, matches = set(), set(), []
    for first in range(0, len(left), PORTION):
        part = slice(first, first + PORTION)
        for pair, (one, other) in enumerate(zip(left[part].tolist(), right[part].tolist(), strict=True), start=first):
            if one not in matched and other not in taken:
                matched.add(one)
                taken.add(other)
                matches.append(pair)
    return np.array(matches, dtype=np.int64)


def pair_inside(
    low: Floats, high: Floats, box_groups: Integers, points: Floats, point_groups: Integers, at_most: int | None = None
) -> tuple[Integers, Integers]:
    """Return the positions of all pairs of a box and a point inside it that have the same group number.

    The edges of a group's boxes divide the plane into cells. Points are sorted by cell, so those of a box are found as
    ranges: the work grows with the number of pairs that are returned, not with the number of those that are possible.

    Parameters
    ----------
    low, high : arrays of shape (n_boxes, 2)
        Lower and upper ends of boxes; not NaN.
    box_groups : array of shape (n_boxes,)
        Group numbers of boxes.
    points : array of shape (n_points, 2)
        Points. A point on an edge is outside, and so is one with NaN.
    point_groups : array of shape (n_points,)
        Group numbers of points.
    at_most : int, optional
        Leave out all but the first of so many points that are in the same cell, thus inside the same boxes.

    Returns
    -------
    arrays of shape (n_pairs,)
        Positions of boxes and of points, sorted by both.

    Examples
    --------
    >>> low, high, group = np.array([[0.0, 0], [1, 1]]), np.array([[2.0, 2], [3, 3]]), np.zeros(2, dtype=int)
    >>> points = np.array([[1.5, 1.5], [0.5, 1], [2, 2]])
    >>> [rows.tolist() for rows in pair_inside(low, high, group, points, np.zeros(3, dtype=int))]
    [[0, 0, 1, 1], [0, 1, 0, 2]]
    """
    known = np.flatnonzero(np.isin(point_groups, box_groups))
    cells = [
        _cells(low[:, axis], high[:, axis], box_groups, points[known, axis], point_groups[known]) for axis in (0, 1)
    ]
    (left, right, column), (bottom, top, row) = cells
    rows = int(max(np.max(top, initial=0), np.max(row, initial=0))) + 1
    cell = column * rows + row
    order = np.argsort(cell, kind="stable")
    if at_most is not None:
        first = np.searchsorted(cell[order], cell[order])
        order = order[np.arange(len(order)) - first < at_most]
    cell = cell[order]

    widths = np.maximum(right - left - 1, 0)
    box = np.repeat(np.arange(len(left)), widths)
    in_box = np.arange(len(box)) - np.repeat(np.cumsum(widths) - widths, widths)
    columns = (left[box] + 1 + in_box) * rows
    first = np.searchsorted(cell, columns + bottom[box], side="right")
    counts = np.maximum(np.searchsorted(cell, columns + top[box]) - first, 0)
    boxes = np.repeat(box, counts)
    places = np.arange(len(boxes)) + np.repeat(first - np.cumsum(counts) + counts, counts)
    numbers = known[order[places]]
    sequence = np.lexsort((numbers, boxes))
    return boxes[sequence], numbers[sequence]


def _cells(
    low: Floats, high: Floats, box_groups: Integers, points: Floats, point_groups: Integers
) -> tuple[Integers, Integers, Integers]:
    """Return numbers of cells along an axis: those of the ends of boxes, which are odd, and those of the points.

    A number is below another of the same group if and only if the coordinate is.
    """
    edges = np.unique(np.concatenate([low, high]))

    def ranks(groups: Integers, values: Floats) -> Integers:
        among = np.searchsorted(edges, values) + np.searchsorted(edges, values, side="right")
        rank: Integers = groups * (2 * len(edges) + 1) + among
        return rank

    ends = ranks(box_groups, low), ranks(box_groups, high)
    known = np.unique(np.concatenate(ends))

    def cells(values: Integers) -> Integers:
        cell: Integers = np.searchsorted(known, values) + np.searchsorted(known, values, side="right")
        return cell

    return cells(ends[0]), cells(ends[1]), cells(ranks(point_groups, points))
