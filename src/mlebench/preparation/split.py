"""Split rows into train and test, the same on every machine and with every version of NumPy and pandas."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    import pandas as pd

    Positions = np.ndarray[Any, np.dtype[np.int64]]


def split_positions(rows: int, test_size: float, seed: int = 0) -> tuple[Positions, Positions]:
    """Return the shuffled positions of the rows of train and test.

    The first permuted rows are the test part, the others the train part, as in scikit-learn's `train_test_split` with
    `random_state=seed`. NumPy never changes that generator.

    Parameters
    ----------
    rows
        Number of rows.
    test_size
        Below 1 a share of the rows, rounded up; else a number of rows.
    seed
        Seed of the permutation.

    Returns
    -------
    train, test : arrays of int
        Positions from 0.

    Examples
    --------
    >>> [part.tolist() for part in split_positions(5, test_size=0.4)]
    [[1, 3, 4], [2, 0]]
    """
    order = np.random.RandomState(seed).permutation(rows)
    test_rows = math.ceil(test_size * rows) if test_size < 1 else int(test_size)
    return order[test_rows:], order[:test_rows]


def train_test_split(frame: pd.DataFrame, test_size: float, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split the rows of a data frame at random into train and test, in shuffled order, as `split_positions` does."""
    train, test = split_positions(len(frame), test_size, seed)
    return frame.iloc[train], frame.iloc[test]


def group_split(
    frame: pd.DataFrame,
    groups: pd.Series[Any],
    test_size: float,
    seed: int = 0,
    *,
    keep_in_train: pd.Series[Any] | Positions | None = None,
    classes: pd.Series[Any] | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split a data frame so that no group is in both parts; rows keep their order.

    Parameters
    ----------
    frame
        The rows.
    groups
        The group of each row. Rows without a group are train.
    test_size
        Below 1 a share of all rows, else a number of rows. Groups are drawn at random until they hold at least so many.
    seed
        Seed of the permutation of groups, which are numbered by first appearance.
    keep_in_train
        Whether a row stays in train, and its group with it.
    classes
        The class of each row. A group is not drawn if it would be the last one of a class to leave train, so train has
        each class.

    Returns
    -------
    train, test : DataFrame
        The parts.

    Raises
    ------
    RawDataError
        The groups that may be drawn do not hold enough rows.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"patient": [1, 1, 2, 3, 3, 4], "age": [30, 31, None, 50, 51, 60]})
    >>> train, test = group_split(rows, rows["patient"], test_size=0.3, keep_in_train=rows["age"].isna())
    >>> train["patient"].tolist(), test["patient"].tolist()
    ([1, 1, 2, 4], [3, 3])
    """
    codes, names = groups.factorize()
    order = np.random.RandomState(seed).permutation(len(names))
    if keep_in_train is not None or classes is not None:
        kept = np.zeros(len(names), dtype=bool)
        if keep_in_train is not None:
            kept[codes[np.asarray(keep_in_train, dtype=bool) & (codes >= 0)]] = True
        if classes is not None:
            kept |= _last_of_each_class(codes, classes, order, kept)
        order = order[~kept[order]]
    sizes = np.bincount(codes[codes >= 0], minlength=len(names))[order]
    rows = test_size * len(frame) if test_size < 1 else test_size
    if sizes.sum() < rows:
        raise RawDataError(f"The groups that may be test hold {sizes.sum()} rows, but {math.ceil(rows)} are needed.")
    needed = int(np.searchsorted(np.cumsum(sizes), rows)) + 1
    in_test = np.isin(codes, order[:needed])
    return frame[~in_test], frame[in_test]


def _last_of_each_class(
    codes: Positions, classes: pd.Series[Any], order: Positions, kept: np.ndarray[Any, np.dtype[np.bool_]]
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return whether a group is the one that is drawn last of those of a class."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    rank[kept] = len(order)  # these are never drawn
    class_codes, class_names = classes.factorize()
    rows = (codes >= 0) & (class_codes >= 0)
    last = np.full(len(class_names), -1)
    np.maximum.at(last, class_codes[rows], rank[codes[rows]])
    result: np.ndarray[Any, np.dtype[np.bool_]] = np.isin(rank, last)
    return result


def linked_groups(items: pd.Series[Any], keys: pd.Series[Any]) -> pd.Series[int]:
    """Return groups of items that share a key, directly or by way of other items.

    Parameters
    ----------
    items, keys
        Pairs: an item, and a key that it has. An item may have several keys, one or none (a missing key).

    Returns
    -------
    Series
        The number of the group of each item, indexed by item, in order of first appearance.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"photo": ["a", "a", "b", "c"], "key": ["whale 1", "pixels 7", "whale 2", "pixels 7"]})
    >>> linked_groups(pairs["photo"], pairs["key"]).to_dict()
    {'a': 0, 'b': 1, 'c': 0}
    """
    import pandas as pd
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    item_codes, names = items.factorize()
    key_codes, key_names = keys.factorize()
    has_key = key_codes >= 0
    size = len(names) + len(key_names)
    links = (np.ones(np.count_nonzero(has_key), bool), (item_codes[has_key], len(names) + key_codes[has_key]))
    _, labels = connected_components(coo_array(links, shape=(size, size)), directed=False)
    groups: pd.Series[int] = pd.Series(labels[: len(names)].astype(int), index=names)
    return groups


def shuffle_rows(frame: pd.DataFrame, seed: int = 0, groups: pd.Series[Any] | None = None) -> pd.DataFrame:
    """Return rows in random order, so that their order tells nothing.

    Parameters
    ----------
    frame
        The rows.
    seed
        Seed of the permutation.
    groups
        The group of each row, if groups are to be permuted instead: the rows of a group stay together in their order.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"speaker": [7, 8, 7, 9], "second": [0, 0, 1, 0]})
    >>> shuffle_rows(rows, groups=rows["speaker"])["speaker"].tolist()
    [9, 8, 7, 7]
    """
    codes = np.arange(len(frame)) if groups is None else groups.factorize()[0]
    place = np.random.RandomState(seed).permutation(int(codes.max(initial=-1)) + 1)
    return frame.iloc[np.argsort(place[codes], kind="stable")]


def draw_groups(groups: pd.Series[Any], test_size: float, seed: int = 0) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Draw groups at random for the test part.

    Parameters
    ----------
    groups
        The group of each row.
    test_size
        Share or number of groups; see `split_positions`.
    seed
        Seed of the permutation of groups, which are numbered by first appearance.

    Returns
    -------
    array of bool
        Whether a row belongs to the test part.
    """
    codes, names = groups.factorize()
    _, test = split_positions(len(names), test_size, seed)
    return np.isin(codes, test)


def group_positions(groups: pd.Series[Any], test_size: float, seed: int = 0) -> tuple[Positions, Positions]:
    """Split groups at random, and return the positions of their rows, one group after the other as drawn.

    Parameters
    ----------
    groups
        The group of each row. Rows without a group are left out.
    test_size
        Share or number of groups; see `split_positions`.
    seed
        Seed of the permutation of groups, which are numbered in sorted order.

    Returns
    -------
    train, test : arrays of int
        Positions from 0; within a group they ascend.
    """
    codes, names = groups.factorize(sort=True)

    def rows_of(part: Positions) -> Positions:
        place = np.full(len(names) + 1, -1)  # the last place is for rows without a group, whose code is -1
        place[part] = np.arange(len(part))
        places = place[codes]
        rows: Positions = np.argsort(places, kind="stable")[np.count_nonzero(places < 0) :]
        return rows

    train, test = split_positions(len(names), test_size, seed)
    return rows_of(train), rows_of(test)


def split_each_group(
    groups: pd.Series[Any], test_size: float, few: int = 0, seed: int = 0
) -> tuple[Positions, Positions]:
    """Split each group on its own, and return the positions of its rows, one group after the other.

    Groups of one size are split at once: for 30,000 groups it takes a nineteenth of the time of a loop.

    Parameters
    ----------
    groups
        The group of each row. Groups come in order of first appearance.
    test_size
        Share or number of the rows of each group; see `split_positions`.
    few
        Groups with fewer rows give their last row to the test part, and keep it if it is the only one.
    seed
        Seed of the permutation in each group.

    Returns
    -------
    train, test : arrays of int
        Positions from 0.

    Raises
    ------
    RawDataError
        A group is too small for a train part.
    """
    codes, names = groups.factorize()
    sizes = np.bincount(codes, minlength=len(names))
    rows = np.argsort(codes, kind="stable")
    first = np.cumsum(sizes) - sizes
    places: tuple[list[Positions], list[Positions]] = ([], [])
    drawn: tuple[list[Positions], list[Positions]] = ([], [])
    for size in np.unique(sizes):  # groups of one size have the same permutation
        same = np.flatnonzero(sizes == size)
        parts = _last_row_to_test(size) if size < few else split_positions(size, test_size, seed)
        if not len(parts[0]):
            raise RawDataError(f"The raw data hold {names[same[0]]} too rarely to split.")
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
