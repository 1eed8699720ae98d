"""The values that target columns of a submission may have, and checks that refuse others."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NoReturn

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pandas as pd


class Values(StrEnum):
    """The values that target columns may have."""

    LABELS = "labels"
    """Text, integers, or True and False, as in the answers; no missing values."""
    NUMBERS = "numbers"
    """Finite numbers, within `range` if it is declared."""
    PROBABILITIES = "probabilities"
    """Numbers in [0, 1]."""
    DISTRIBUTION = "distribution"
    """Numbers in [0, 1] that sum to 1 over the target columns of each row."""
    WEIGHTS = "weights"
    """Numbers in [0, 1] whose sum over the target columns of each row is positive; the metric divides them by it."""
    TRUNCATED_NUMBERS = "truncated_numbers"
    """Values that Python's `int` accepts; fractions are truncated (a quirk of some v1)."""
    FLOATS = "floats"
    """Finite numbers, or text that Python's `float` accepts (a quirk of some v1)."""
    TEXT = "text"
    """Text; a blank cell is the empty text. A column of numbers alone is refused."""
    ANYTHING = "anything"
    """Anything that pandas reads; the task's functions check it."""


def check_labels(column: pd.Series[Any], like: pd.Series[Any] | None) -> None:
    """Refuse labels that cannot be compared with those of the answers: of another kind, missing, or fractions."""
    import numpy as np
    import pandas as pd

    _refuse_missing(column)
    wants_numbers = like is None or pd.api.types.is_numeric_dtype(like)
    if not pd.api.types.is_numeric_dtype(column):
        if wants_numbers and like is not None:
            wanted = "True or False" if pd.api.types.is_bool_dtype(like) else "integers"
            raise InvalidSubmissionError(f"The column '{column.name}' must hold {wanted}, but it holds text.")
        if wants_numbers or pd.api.types.infer_dtype(column) != "integer":  # integers of more than 64 bits
            return
    if not wants_numbers:
        raise InvalidSubmissionError(f"The column '{column.name}' must hold text labels, but it holds numbers.")
    values = column.to_numpy()
    broken = np.zeros(len(values), dtype=bool) if values.dtype == bool else ~(values == np.floor(values))
    if values.dtype.kind == "f":
        broken |= ~((values >= -(2**63)) & (values < 2**63))  # scikit-learn takes no other labels
    _refuse(column, broken, "is not a label, which must be an integer of 64 bits")


def check_vocabulary(column: pd.Series[Any], labels: Sequence[str] | Sequence[int]) -> None:
    """Refuse labels that are none of a task's own."""
    in_sequence = all(isinstance(label, int) for label in labels) and list(labels) == list(
        range(int(labels[0]), int(labels[0]) + len(labels))
    )
    known = f"one of {labels[0]} to {labels[-1]}" if in_sequence else f"one of the {len(labels)} labels"
    _refuse(column, ~column.isin(list(labels)).to_numpy(), f"is not {known}")


def check_text(column: pd.Series[Any]) -> None:
    """Refuse cells that are not text, and columns of numbers."""
    import pandas as pd

    broken = ~column.map(lambda value: isinstance(value, str)).to_numpy(dtype=bool)
    if broken.any() and pd.api.types.is_numeric_dtype(column):
        raise InvalidSubmissionError(f"The column '{column.name}' must hold text, but it holds only numbers.")
    _refuse(column, broken, "is not text")


def check_numbers(column: pd.Series[Any], bounds: tuple[float, float] | None, *, missing: bool) -> None:
    """Refuse cells that are not numbers within the bounds; unless `missing`, also missing and infinite ones."""
    import numpy as np
    import pandas as pd

    if not missing:
        _refuse_missing(column)
    try:
        numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    except OverflowError:  # integers beyond the range of floats
        numbers = column.map(_as_float).to_numpy(dtype=float)
    _refuse(column, np.isnan(numbers) & column.notna().to_numpy(), "is not a number")
    if not missing:
        _refuse(column, np.isinf(numbers), "is not a finite number")
    if bounds is not None:
        low, high = bounds
        _refuse(column, (numbers < low) | (numbers > high), f"is not between {low:g} and {high:g}")


def float_numbers(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return the numbers that Python's `float` makes of the values; a column of numbers is returned as it is.

    Raises InvalidSubmissionError for values that are missing or infinite, and for other text.
    """
    import pandas as pd

    if column.dtype.kind not in "biuf":
        numbers: list[float] = []
        for value in column.tolist():
            try:
                numbers.append(float(value))
            except (TypeError, ValueError):
                _refuse_cell(column, len(numbers), "is not a number")
        column = pd.Series(numbers, index=column.index, name=column.name)
    check_numbers(column, None, missing=False)
    return column


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")
    except (TypeError, ValueError):
        return float("nan")


def check_sums(frame: pd.DataFrame) -> None:
    """Refuse probabilities that do not sum to 1 in each row."""
    import numpy as np

    sums = frame.to_numpy(dtype=float).sum(axis=1)
    broken = ~np.isclose(sums, 1, rtol=1e-5, atol=1e-6)
    if broken.any():
        row = int(np.argmax(broken))
        raise InvalidSubmissionError(
            f"The probabilities of each row must sum to 1, but those of row {row + 1} sum to {sums[row]:.6g}."
        )


def check_positive_sums(frame: pd.DataFrame) -> None:
    """Refuse rows of weights that are all 0."""
    import numpy as np

    broken = ~(frame.to_numpy(dtype=float).sum(axis=1) > 0)
    if broken.any():
        row = int(np.argmax(broken))
        raise InvalidSubmissionError(
            f"The probabilities of each row must have a positive sum, but those of row {row + 1} sum to 0."
        )


def whole_numbers(column: pd.Series[Any]) -> np.ndarray[Any, np.dtype[Any]]:
    """Return the integers that Python's `int` makes of the values: floats are truncated, True is 1.

    Raises InvalidSubmissionError for values that `int` refuses (missing, infinite, other text), and for integers that
    do not fit into 64 bits together.
    """
    import numpy as np

    if column.dtype.kind in "bi":
        return column.to_numpy().astype(np.int64)
    numbers: list[int] = []
    try:
        numbers.extend(int(value) for value in column.tolist())
    except (TypeError, ValueError, OverflowError):
        row = len(numbers)
        _refuse_cell(column, row, "is missing" if column.isna().iloc[row] else "is not an integer")
    array = np.array(numbers)
    if array.dtype.kind not in "iu":  # signed and unsigned ones mixed, or larger ones
        raise InvalidSubmissionError(f"The column '{column.name}' holds numbers that do not fit into 64 bits.")
    return array


def _refuse_missing(column: pd.Series[Any]) -> None:
    _refuse(column, column.isna().to_numpy(), "is missing")


def _refuse(column: pd.Series[Any], broken: np.ndarray[Any, Any], what: str) -> None:
    """Raise for the first broken cell."""
    import numpy as np

    if broken.any():
        _refuse_cell(column, int(np.argmax(broken)), what)


def _refuse_cell(column: pd.Series[Any], row: int, what: str) -> NoReturn:
    """Raise for a cell, naming its column and its row, counted from 1 below the header."""
    value = "The value" if what == "is missing" else f"The value {plain(column.iloc[row])}"
    raise InvalidSubmissionError(f"{value} of column '{column.name}' in row {row + 1} {what}.") from None
