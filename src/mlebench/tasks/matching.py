"""Pairing the rows of a submission with those of the answers by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Positions = np.ndarray[Any, np.dtype[np.intp]]

KEY_WIDTHS = (16, 64)
"""Bytes of the keys that text ids are paired by; a multiple of 8 and more than the longest id."""


def match_ids(submission: pd.DataFrame, reference: pd.DataFrame) -> Positions | None:
    """Return for each row of the reference the position of the submission's row with the same ids.

    Both frames hold id columns only and have the same length. None means that they already agree row by row.
    Raises InvalidSubmissionError when the ids are not the same.
    """
    import numpy as np

    order: Positions | None
    if all(_equal(submission[name], reference[name]) for name in submission.columns):
        return None
    if submission.shape[1] == 1:
        order = match_texts(submission.iloc[:, 0], reference.iloc[:, 0])
        if order is not None:
            return order
    left, right = _index(submission), _index(reference)
    names = " and ".join(f"'{name}'" for name in submission.columns)
    order = left.get_indexer(right) if left.is_unique else None
    if order is not None and (order < 0).any():
        absent = plain(right[int(np.argmax(order < 0))])
        raise InvalidSubmissionError(f"The column {names} must hold the sample's ids, but {absent} is missing.")
    if order is not None and np.bincount(order, minlength=len(left)).all():
        return order
    if right.is_unique:
        row = int(np.argmax(left.duplicated()))
        raise InvalidSubmissionError(f"The value {plain(left[row])} of {names} in row {row + 1} is repeated.")
    order = match_ranks(submission, reference)
    matched = submission.iloc[order].reset_index(drop=True)
    if not all(_equal(matched[name], reference[name]) for name in submission.columns):
        raise InvalidSubmissionError(f"The column {names} must hold each of the sample's ids as often as it does.")
    return order


def match_repeats(submission: pd.DataFrame, reference: pd.DataFrame) -> Positions:
    """Return the positions that bring a submission's rows into the order of the reference, copies side by side.

    The ids of the reference are unique. Raises InvalidSubmissionError unless the submission has them all and no other.
    """
    import numpy as np

    places = positions_of(submission, reference)
    names = " and ".join(f"'{name}'" for name in submission.columns)
    if (places < 0).any():
        row = int(np.argmax(places < 0))
        value = plain(_index(submission)[row])
        raise InvalidSubmissionError(f"The value {value} of {names} in row {row + 1} is none of the sample's ids.")
    absent = np.bincount(places, minlength=len(reference)) == 0
    if absent.any():
        value = plain(_index(reference)[int(np.argmax(absent))])
        raise InvalidSubmissionError(f"The column {names} must hold the sample's ids, but {value} is missing.")
    return np.argsort(places, kind="stable")


def check_order(submission: pd.DataFrame, reference: pd.DataFrame) -> None:
    """Raise InvalidSubmissionError unless the ids are those of the reference, row by row."""
    import numpy as np

    rows = min(len(submission), len(reference))
    same = np.ones(rows, dtype=bool)
    for name in submission.columns:
        same &= submission[name].to_numpy(dtype=object)[:rows] == reference[name].to_numpy(dtype=object)[:rows]
    if not same.all():
        row = int(np.argmin(same))
        wanted, found = (plain(_index(ids)[row]) for ids in (reference, submission))
        raise InvalidSubmissionError(
            f"Rows must have the sample's ids in the sample's order, but row {row + 1} is of {found} and not {wanted}."
        )
    if len(submission) != len(reference):
        raise InvalidSubmissionError(
            f"The number of rows must be {len(reference)}, as in the sample, but it is {len(submission)}."
        )


def positions_of(ids: pd.DataFrame, reference: pd.DataFrame) -> Positions:
    """Return for each row of ids its position among those of the reference, which are unique, or -1."""
    places: Positions = _index(reference).get_indexer(_index(ids))
    return places


def _index(ids: pd.DataFrame) -> pd.Index[Any]:
    import pandas as pd

    return pd.Index(ids.iloc[:, 0]) if ids.shape[1] == 1 else pd.MultiIndex.from_frame(ids)


def match_texts(submission: pd.Series[Any], reference: pd.Series[Any]) -> Positions | None:
    """Do what `match_ids` does for the usual case: unique short ASCII ids, the same in both columns.

    For a million shuffled ids it takes a quarter of the time: NumPy hashes the ids as words of 8 bytes, where an index
    of pandas would hash Python strings. None means that this is another case; colliding hashes count as one.
    """
    import numpy as np
    import pandas as pd

    left, right = (column.to_numpy(dtype=object) for column in (submission, reference))
    if any(pd.api.types.infer_dtype(ids, skipna=False) != "string" for ids in (left, right)):
        return None
    for width in KEY_WIDTHS:
        try:
            left_keys, right_keys = left.astype(f"S{width}"), right.astype(f"S{width}")
        except UnicodeEncodeError:
            return None
        if not right_keys.view(np.uint8)[width - 1 :: width].any():
            break  # all on the right are whole, so what was cut off on the left equals none (nor holds zero bytes)
    else:
        return None
    hashes = pd.Index(_hashes(left_keys))
    if not hashes.is_unique:
        return None
    order: Positions = hashes.get_indexer(pd.Index(_hashes(right_keys)))
    if not np.array_equal(left_keys.take(order).view(np.uint64), right_keys.view(np.uint64)):
        return None  # where a hash is absent, its order is -1, which is another id
    return order if np.bincount(order, minlength=len(order)).all() else None


def _hashes(keys: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    import numpy as np

    hashes = np.zeros(len(keys), dtype=np.uint64)
    for words in keys.view(np.uint64).reshape(len(keys), -1).T:
        hashes = (hashes ^ words) * np.uint64(0x9E3779B97F4A7C15)  # odd, so nothing is lost; 2^64 / the golden ratio
        hashes ^= hashes >> np.uint64(32)
    return hashes


def match_ranks(submission: pd.DataFrame, reference: pd.DataFrame) -> Positions:
    """Return for each row of the reference the position of the submission's row whose ids have the same rank."""
    import numpy as np

    order = np.empty(len(reference), dtype=np.int64)
    try:
        order[sorted_positions(reference)] = sorted_positions(submission)
    except TypeError as error:
        raise InvalidSubmissionError("The ids cannot be sorted, since they mix numbers, text and gaps.") from error
    return order


def sorted_positions(ids: pd.DataFrame) -> Positions:
    """Return the positions that sort rows by their ids.

    With a single column the sort is NumPy's quicksort, as in `DataFrame.sort_values`; it is not stable, so
    among equal ids the order depends on that of the file, in the same way as for version v1's scores.
    """
    import numpy as np

    if ids.shape[1] > 1:
        return np.lexsort([ids[name].to_numpy() for name in reversed(ids.columns)])
    column = ids.iloc[:, 0]
    values = column.to_numpy() if column.dtype.kind in "biuf" else column.to_numpy(dtype=object)
    missing = column.isna().to_numpy()
    present = np.flatnonzero(~missing)
    return np.concatenate([present[values[present].argsort(kind="quicksort")], np.flatnonzero(missing)])


def _equal(left: pd.Series[Any], right: pd.Series[Any]) -> bool:
    """Whether all rows are equal."""
    is_text = left.dtype == right.dtype == "str"  # compared in place, not as a million Python strings
    one, other = (column.array if is_text else column.to_numpy() for column in (left, right))
    return bool((one == other).all())
