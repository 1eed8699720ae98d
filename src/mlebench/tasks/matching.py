"""Match the rows of a submission with those of the answers by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Positions = np.ndarray[Any, np.dtype[np.intp]]

KEY_WIDTHS = (16, 64)
"""Bytes of the keys for text ids: a multiple of 8, and more than the longest id has."""


def match_ids(submission: pd.DataFrame, reference: pd.DataFrame) -> Positions | None:
    """Return for each row of the reference the position of the submission's row with the same ids.

    Parameters
    ----------
    submission, reference
        The id columns alone, with the same number of rows.

    Returns
    -------
    array of int or None
        Positions from 0; None if the ids are equal row by row.

    Raises
    ------
    InvalidSubmissionError
        The ids differ, or the submission repeats one.
    """
    import numpy as np

    if all(_equal(submission[name], reference[name]) for name in submission.columns):
        return None
    if submission.shape[1] == 1:
        order = match_texts(submission.iloc[:, 0], reference.iloc[:, 0])
        if order is not None:
            return order
    names = " and ".join(f"'{name}'" for name in submission.columns)
    if not _index(reference).is_unique:
        order = match_ranks(submission, reference)
        matched = submission.iloc[order].reset_index(drop=True)
        if not all(_equal(matched[name], reference[name]) for name in submission.columns):
            raise InvalidSubmissionError(f"The column {names} must hold each id as often as the sample does.")
        return order
    places = positions_of(submission, reference)
    known = np.flatnonzero(places >= 0)
    _, first = np.unique(places[known], return_index=True)
    if len(first) < len(known):
        row = int(np.setdiff1d(known, known[first])[0])
        raise InvalidSubmissionError(f"The value {_plain_id(submission, row)} of {names} in row {row + 1} is repeated.")
    if len(known) < len(reference):
        row = int(np.setdiff1d(np.arange(len(reference)), places[known])[0])
        absent = _plain_id(reference, row)
        raise InvalidSubmissionError(f"The column {names} must hold the sample's ids, but {absent} is missing.")
    return np.argsort(places)


def match_repeats(submission: pd.DataFrame, reference: pd.DataFrame) -> Positions:
    """Return the positions that put a submission's rows into the order of the reference, repeats side by side.

    The ids of the reference are unique. Raises InvalidSubmissionError unless the submission has all of them and no
    others.
    """
    import numpy as np

    places = positions_of(submission, reference)
    names = " and ".join(f"'{name}'" for name in submission.columns)
    if (places < 0).any():
        row = int(np.argmax(places < 0))
        value = _plain_id(submission, row)
        raise InvalidSubmissionError(f"The value {value} of {names} in row {row + 1} is not one of the sample's ids.")
    absent = np.bincount(places, minlength=len(reference)) == 0
    if absent.any():
        value = _plain_id(reference, int(np.argmax(absent)))
        raise InvalidSubmissionError(f"The column {names} must hold the sample's ids, but {value} is missing.")
    return np.argsort(places, kind="stable")


def check_order(submission: pd.DataFrame, reference: pd.DataFrame) -> None:
    """Raise InvalidSubmissionError unless the ids equal those of the reference, row by row."""
    import numpy as np

    rows = min(len(submission), len(reference))
    same = np.ones(rows, dtype=bool)
    for name in submission.columns:
        same &= submission[name].to_numpy(dtype=object)[:rows] == reference[name].to_numpy(dtype=object)[:rows]
    if not same.all():
        row = int(np.argmin(same))
        wanted, found = (_plain_id(ids, row) for ids in (reference, submission))
        raise InvalidSubmissionError(
            f"Rows must have the sample's ids in the sample's order, but row {row + 1} has {found} instead of {wanted}."
        )
    if len(submission) != len(reference):
        raise InvalidSubmissionError(
            f"The number of rows must be {len(reference)}, as in the sample, but it is {len(submission)}."
        )


def positions_of(ids: pd.DataFrame, reference: pd.DataFrame) -> Positions:
    """Return for each row its position in the reference, whose ids are unique; -1 for other ids.

    Only the ids of the reference enter hash tables. The hashes of pandas are known, so a submission may hold ids that
    all have the same one: a table of them takes hours.
    """
    import numpy as np
    import pandas as pd

    if ids.shape[1] == 1:
        places: Positions = _index(reference).get_indexer(pd.Index(ids.iloc[:, 0]))
        return places
    found, wanted = (np.zeros(len(frame), dtype=np.int64) for frame in (ids, reference))
    is_known = np.ones(len(ids), dtype=bool)
    for name in reference.columns:
        values = pd.Index(reference[name].dropna().drop_duplicates())
        codes, of_reference = (
            np.where(frame[name].isna(), len(values), values.get_indexer(pd.Index(frame[name])))
            for frame in (ids, reference)
        )
        is_known &= codes >= 0
        found, wanted = found * (len(values) + 1) + codes, wanted * (len(values) + 1) + of_reference
    return np.where(is_known, pd.Index(wanted).get_indexer(pd.Index(found)), -1)


def _index(reference: pd.DataFrame) -> pd.Index[Any]:
    import pandas as pd

    return pd.Index(reference.iloc[:, 0]) if reference.shape[1] == 1 else pd.MultiIndex.from_frame(reference)


def _plain_id(ids: pd.DataFrame, row: int) -> str:
    """Return the id of a row as messages show it, without a table of all ids."""
    return plain(_index(ids.iloc[[row]])[0])


def match_texts(submission: pd.Series[Any], reference: pd.Series[Any]) -> Positions | None:
    """Do what `match_ids` does for the usual case: unique short ASCII ids, the same in both columns.

    For a million shuffled ids it takes a quarter of the time: NumPy hashes the ids as words of 8 bytes and sorts the
    hashes, where an index of pandas would hash Python strings. None means that this is another case; colliding hashes
    count as one.
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
            break  # no id on the right was cut off, so an id that was cut off on the left equals none of them
    else:
        return None
    left_hashes, right_hashes = _hashes(left_keys), _hashes(right_keys)
    left_order, right_order = np.argsort(left_hashes), np.argsort(right_hashes)
    in_order = left_hashes[left_order]
    if (in_order[1:] == in_order[:-1]).any():
        return None
    order = np.empty(len(left_order), dtype=np.intp)
    order[right_order] = left_order
    return order if np.array_equal(left_keys.take(order).view(np.uint64), right_keys.view(np.uint64)) else None


def _hashes(keys: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    import numpy as np

    hashes = np.zeros(len(keys), dtype=np.uint64)
    for word in keys.view(np.uint64).reshape(len(keys), -1).T:
        hashes = (hashes ^ word) * np.uint64(0x9E3779B97F4A7C15)  # 2^64 / the golden ratio; odd, so it can be inverted
        hashes ^= hashes >> np.uint64(32)
    return hashes


def match_ranks(submission: pd.DataFrame, reference: pd.DataFrame) -> Positions:
    """Return for each row of the reference the submission's row whose ids have the same rank among sorted ids."""
    import numpy as np

    order = np.empty(len(reference), dtype=np.int64)
    try:
        order[sorted_positions(reference)] = sorted_positions(submission)
    except TypeError as error:
        raise InvalidSubmissionError("The ids cannot be sorted: they mix numbers, text and missing values.") from error
    return order


def sorted_positions(ids: pd.DataFrame) -> Positions:
    """Return the positions that sort rows by their ids.

    A single column is sorted by NumPy's quicksort, as in `DataFrame.sort_values`. It is not stable: the order of equal
    ids depends on the order of the file, as version v1's scores do.
    """
    import numpy as np

    if ids.shape[1] > 1:
        return np.lexsort([ids[name].to_numpy() for name in reversed(ids.columns)])
    column = ids.iloc[:, 0]
    values = column.to_numpy() if column.dtype.kind in "biuf" else column.to_numpy(dtype=object)
    missing = column.isna().to_numpy()
    present = np.flatnonzero(~missing)
    return np.concatenate([present[values[present].argsort(kind="quicksort")], np.flatnonzero(missing)])


def is_sorted(ids: pd.DataFrame) -> bool:
    """Whether rows ascend by a single id column, without equal ids."""
    if ids.shape[1] > 1:
        return False
    values = ids.iloc[:, 0].to_numpy(dtype=None if ids.dtypes.iloc[0].kind in "biuf" else object)
    return bool((values[1:] > values[:-1]).all())


def _equal(left: pd.Series[Any], right: pd.Series[Any]) -> bool:
    """Whether all rows are equal."""
    is_text = left.dtype == right.dtype == "str"  # compared in place, not as a million Python strings
    one, other = (column.array if is_text else column.to_numpy() for column in (left, right))
    return bool((one == other).all())
