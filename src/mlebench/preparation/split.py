"""Splits into train and test: the same rows in the same order, on every machine and with every library version."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    import pandas as pd

    Positions = np.ndarray[Any, np.dtype[np.int64]]


def split_positions(rows: int, test_size: float, seed: int = 0) -> tuple[Positions, Positions]:
    """Return the shuffled row positions of train and test.

    A `test_size` below 1 is a share, rounded up, else a number of rows. The first of the permuted rows are
    the test part and the next ones the train part: the same as scikit-learn's `train_test_split` with
    `random_state=seed`, whose generator NumPy keeps stable for good.
    """
    order = np.random.RandomState(seed).permutation(rows)
    test_rows = math.ceil(test_size * rows) if test_size < 1 else int(test_size)
    return order[test_rows:], order[:test_rows]


def train_test_split(frame: pd.DataFrame, test_size: float, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split a frame's rows at random into train and test; both keep the shuffled order."""
    train, test = split_positions(len(frame), test_size, seed)
    return frame.iloc[train], frame.iloc[test]


def group_split(
    frame: pd.DataFrame, groups: pd.Series[Any], test_size: float, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split a frame so that no group is on both sides; both keep the frame's row order.

    Groups are drawn at random until they hold at least the share `test_size` of the rows.
    """
    codes, names = groups.factorize()
    order = np.random.RandomState(seed).permutation(len(names))
    sizes = np.bincount(codes, minlength=len(names))[order]
    needed = int(np.searchsorted(np.cumsum(sizes), test_size * len(frame))) + 1
    in_test = np.isin(codes, order[:needed])
    return frame[~in_test], frame[in_test]


def draw_groups(groups: pd.Series[Any], test_size: float, seed: int = 0) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which rows belong to the groups that are drawn at random for the test part.

    `test_size` counts groups, in order of first appearance, as `split_positions` counts rows.
    """
    codes, names = groups.factorize()
    _, test = split_positions(len(names), test_size, seed)
    return np.isin(codes, test)


def group_positions(groups: pd.Series[Any], test_size: float, seed: int = 0) -> tuple[Positions, Positions]:
    """Return the row positions of train and test, group after group in the order in which groups were drawn.

    `test_size` counts groups, in the order of their names, as `split_positions` counts rows. Inside a group rows keep
    their order; rows without a group are left out.
    """
    codes, names = groups.factorize(sort=True)

    def rows_of(part: Positions) -> Positions:
        place = np.full(len(names) + 1, -1)  # the last one is for rows without a group, whose code is -1
        place[part] = np.arange(len(part))
        places = place[codes]
        rows: Positions = np.argsort(places, kind="stable")[np.count_nonzero(places < 0) :]
        return rows

    train, test = split_positions(len(names), test_size, seed)
    return rows_of(train), rows_of(test)


def split_each_group(
    groups: pd.Series[Any], test_size: float, few: int = 0, seed: int = 0
) -> tuple[Positions, Positions]:
    """Return the row positions of train and test when each group is split on its own, one group after the other.

    Groups come in order of first appearance, and inside a group `split_positions` decides. But of groups with fewer
    than `few` rows the last one goes to test, and a single one to train.
    """
    codes, names = groups.factorize()
    sizes = np.bincount(codes, minlength=len(names))
    rows = np.argsort(codes, kind="stable")
    first = np.cumsum(sizes) - sizes
    places: tuple[list[Positions], list[Positions]] = ([], [])
    drawn: tuple[list[Positions], list[Positions]] = ([], [])
    for size in np.unique(sizes):  # groups of one size are split alike
        same = np.flatnonzero(sizes == size)
        parts = _last_row_to_test(size) if size < few else split_positions(size, test_size, seed)
        if not len(parts[0]):
            raise RawDataError(f"The raw data hold {names[same[0]]} too rarely to split it.")
        for place, drawn_part, part in zip(places, drawn, parts, strict=True):
            place.append(np.repeat(same, len(part)))
            drawn_part.append(rows[first[same][:, np.newaxis] + part].ravel())
    train, test = (
        np.concatenate([*part, np.empty(0, np.int64)])[np.argsort(np.concatenate([*place, []]), kind="stable")]
        for part, place in zip(drawn, places, strict=True)
    )
    return train, test


def _last_row_to_test(rows: int) -> tuple[Positions, Positions]:
    order = np.arange(rows)
    return (order[:-1], order[-1:]) if rows > 1 else (order, order[:0])
