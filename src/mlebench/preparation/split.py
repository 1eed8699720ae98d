"""Splits into train and test: the same rows in the same order, on every machine and with every library version."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

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
