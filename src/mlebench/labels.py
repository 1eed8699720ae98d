"""Predicted labels of tasks whose version v1 makes whole numbers of whatever it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.matching import plain

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


def whole_numbers(column: pd.Series[Any]) -> np.ndarray[Any, np.dtype[Any]]:
    """Return what Python's `int` makes of the values: floats are cut towards zero, and True is 1.

    Raises InvalidSubmissionError for what `int` refuses (missing and infinite values, text that is no whole number),
    and for numbers that do not fit into 64 bits together.
    """
    import numpy as np

    if column.dtype.kind in "bi":
        return column.to_numpy().astype(np.int64)
    numbers: list[int] = []
    try:
        numbers.extend(int(value) for value in column.tolist())
    except (TypeError, ValueError, OverflowError):
        row = len(numbers)
        value = "The value" if column.isna().iloc[row] else f"The value {plain(column.iloc[row])}"
        what = "missing" if value == "The value" else "not a whole number"
        raise InvalidSubmissionError(f"{value} of column '{column.name}' in row {row + 1} is {what}.") from None
    array = np.array(numbers)
    if array.dtype.kind not in "iu":  # signed and unsigned ones mixed, or larger ones
        raise InvalidSubmissionError(f"The column '{column.name}' holds numbers that do not fit into 64 bits.")
    return array
