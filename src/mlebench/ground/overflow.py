"""Numbers beyond 64 bits in CSV tables: every pandas gives them the values and types that pandas 2.2 gives them.

pandas 2 reads a column that holds such a number as text. pandas 3 reads it as infinities or Python integers. Version v1
of a task refuses the text where it would grade the numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable

    Values = np.ndarray[Any, Any]

IS_NEEDED = int(pd.__version__.partition(".")[0]) > 2
MISSING = frozenset(
    ",#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,<NA>,N/A,NA,NULL,NaN,None,n/a,nan,null".split(",")
)
"""What pandas reads as a missing cell."""
INTEGER = re.compile(r"[ \t-\r]*([+-]?)([0-9]+)([ \t-\r]*)")
INFINITY = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
SMALLEST, LARGEST, LARGEST_UNSIGNED = -(2**63), 2**63 - 1, 2**64 - 1
MAX_DIGITS = 20
"""No integer of 64 bits has more digits."""


def with_text(frame: pd.DataFrame, read_cells: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Return a table with text in those columns that pandas 2 reads as text because a number is too large.

    Parameters
    ----------
    frame
        The table as this pandas reads it.
    read_cells
        Reads the same table with all cells as text, and none missing. It is called for a suspicious table only.

    Returns
    -------
    DataFrame
        The same table, or a copy with other columns.
    """
    suspects = [place for place in range(frame.shape[1]) if _is_suspect(frame.iloc[:, place])]
    if not suspects:
        return frame
    cells = read_cells()
    rows_at_once = _rows_at_once(cells.shape[1])
    frame = frame.copy(deep=False)
    for place in suspects:
        found = frame.iloc[:, place]
        values = _read_column(cells.iloc[:, place].tolist(), found, rows_at_once)
        is_text = values.dtype == object and pd.api.types.infer_dtype(values, skipna=True) in ("string", "empty")
        column: Any = pd.Series(values, index=frame.index, dtype="str" if is_text else values.dtype)
        frame.isetitem(place, column)
    return frame


def _is_suspect(column: pd.Series[Any]) -> bool:
    """Whether pandas 2 may read other values."""
    if column.dtype.kind == "f":
        return bool((np.abs(column.to_numpy()) >= LARGEST).any())
    if column.dtype.kind in "biu" or not len(column):
        return False
    if column.dtype == object:
        return any(type(value) is int and not SMALLEST <= value <= LARGEST_UNSIGNED for value in column.array)
    return _may_begin_integers(column.iloc[0]) and bool(column.isin(MISSING).any())


def _may_begin_integers(cell: object) -> bool:
    """Whether pandas tries to read a column as integers beyond its first cell; then it can forget what is missing."""
    try:
        return isinstance(cell, str) and (cell in MISSING or _integer(cell, SMALLEST, LARGEST) is not None)
    except OverflowError:
        return True


def _rows_at_once(width: int) -> int:
    """Return for how many rows pandas infers types together: a power of two, so that they have less than 2^20 cells."""
    rows = 1
    while rows * 2 < 2**20 // max(width, 1):
        rows *= 2
    return rows


def _read_column(cells: list[str], found: pd.Series[Any], rows_at_once: int) -> Values:
    """Return the values that pandas 2 gives a column; `found` are those that this pandas gives it."""
    parts = [
        _read_cells(cells[first : first + rows_at_once], found.iloc[first : first + rows_at_once])
        for first in range(0, len(cells), rows_at_once)
    ]
    has_text = any(part.dtype == object for part in parts)
    return np.concatenate([part.astype(object) for part in parts] if has_text else parts)


def _read_cells(cells: list[str], found: pd.Series[Any]) -> Values:
    """Try what pandas 2 tries: signed integers, unsigned ones after an overflow, other numbers, text."""
    present = [cell for cell in cells if cell not in MISSING]
    try:
        are_integers = all(_integer(cell, SMALLEST, LARGEST) is not None for cell in present)
    except OverflowError:
        kind = _kind_after_overflow(present, any_missing=len(present) < len(cells))
        if kind is not None:
            return np.array(cells, dtype=object) if kind == "every cell" else _text(cells)
        are_integers = False
    values = found.to_numpy(dtype=object)
    if any(isinstance(value, (str, bool)) for value in values):
        return values
    numbers = np.array([float(value) for value in values])
    if any(not INFINITY.fullmatch(cells[row]) for row in np.flatnonzero(numbers == np.inf)):
        return _text(cells)
    if not are_integers:
        return numbers
    if len(present) == len(cells):
        return np.array([_integer(cell, SMALLEST, LARGEST) for cell in cells])
    # pandas 2 marks a missing integer by the smallest one
    numbers[[cell not in MISSING and _integer(cell, SMALLEST, LARGEST) == SMALLEST for cell in cells]] = np.nan
    return numbers


def _kind_after_overflow(present: list[str], *, any_missing: bool) -> str | None:
    """Return what a column with an integer beyond 63 bits becomes: text, with or without missing cells.

    None is for unsigned integers and for a column that also holds other numbers.
    """
    has_negative = has_unsigned = False
    for cell in present:
        if cell.lstrip(" \t\n\v\f\r").startswith("-"):
            has_negative = True
            continue
        try:
            number = _integer(cell, 0, LARGEST_UNSIGNED)
        except OverflowError:
            return "text"
        if number is None:
            return None
        has_unsigned |= number > LARGEST
    if has_unsigned and (has_negative or any_missing):
        return "every cell"
    return "text" if has_negative else None


def _integer(cell: str, low: int, high: int) -> int | None:
    """Parse an integer; None for other text. OverflowError if digits lead out of range, whatever follows them."""
    match = INTEGER.match(cell)
    if match is None:
        return None
    digits = match[2].lstrip("0")
    if len(digits) > MAX_DIGITS or not low <= (number := int(f"{match[1]}0{digits}")) <= high:
        raise OverflowError
    return number if match.end() == len(cell) else None


def _text(cells: list[str]) -> Values:
    return np.array([np.nan if cell in MISSING else cell for cell in cells], dtype=object)
