"""A declared submission shape: reading a frame, saying what is wrong with it, and aligning it to the answers."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pandas as pd


class Values(StrEnum):
    """What may stand in the target columns."""

    LABELS = "labels"
    """Text, or whole numbers, or True and False, as in the answers; none missing."""
    NUMBERS = "numbers"
    """Finite numbers."""
    PROBABILITIES = "probabilities"
    """Numbers in [0, 1]."""
    DISTRIBUTION = "distribution"
    """Numbers in [0, 1] that sum to 1 over the target columns of each row."""
    TEXT = "text"
    """Text; a blank cell is the empty text. A column of nothing but numbers is refused."""


class Shape(BaseModel):
    """The shape of a submission: one row for each id of the answers, in any order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str | tuple[str, ...]
    """The column, or columns, that name a row."""
    targets: tuple[str, ...] | None = None
    """The columns to predict; without them, all columns of the answers but the ids."""
    values: Values
    exact_columns: bool = False
    """Whether further columns are refused."""

    @property
    def ids(self) -> list[str]:
        return [self.id] if isinstance(self.id, str) else list(self.id)

    def target_names(self, reference: pd.DataFrame) -> list[str]:
        """Return the target columns, given the answers or the sample submission."""
        if self.targets is not None:
            return list(self.targets)
        return [str(name) for name in reference.columns if name not in self.ids]

    def align(self, submission: pd.DataFrame, reference: pd.DataFrame) -> pd.DataFrame:
        """Return ids and targets of a submission in the row order of the reference.

        The reference is the answers, or the sample submission, which names the same columns and ids.
        Raises InvalidSubmissionError with one sentence that says what is wrong.
        """
        targets = self.target_names(reference)
        self._check_columns(submission, [*self.ids, *targets])
        if len(submission) != len(reference):
            raise InvalidSubmissionError(
                f"The submission has {_rows(len(submission))}, but there must be {len(reference)}, one for each id."
            )
        submission = submission[[*self.ids, *targets]]
        if self.values is Values.TEXT:
            cells = submission[targets].astype(object)
            submission = submission.assign(**cells.where(cells.notna(), ""))
        self._check_values(submission, reference, targets)
        order = match_rows(submission[self.ids], reference[self.ids])
        return submission if order is None else submission.iloc[order].reset_index(drop=True)

    def _check_columns(self, submission: pd.DataFrame, needed: Sequence[str]) -> None:
        missing = [name for name in needed if name not in submission.columns]
        if missing:
            raise InvalidSubmissionError(
                f"Submission is missing the following {_columns(missing)}; it has {_columns(submission.columns)}."
            )
        if self.exact_columns:
            surplus = [name for name in submission.columns if name not in needed]
            if surplus:
                raise InvalidSubmissionError(f"Submission may not have the further {_columns(surplus)}.")

    def _check_values(self, submission: pd.DataFrame, reference: pd.DataFrame, targets: list[str]) -> None:
        match self.values:
            case Values.LABELS:
                for name in targets:
                    _check_labels(submission[name], like=reference.get(name))
            case Values.TEXT:
                for name in targets:
                    _check_text(submission[name])
            case _:
                for name in targets:
                    _check_numbers(submission[name], within_one=self.values is not Values.NUMBERS)
        if self.values is Values.DISTRIBUTION:
            _check_sums(submission[targets])


def match_rows(submission: pd.DataFrame, reference: pd.DataFrame) -> np.ndarray[Any, Any] | None:
    """Return for each row of the reference the position of the submission's row with the same ids.

    Both frames hold id columns only and have the same length. None means that they already agree row by row.
    """
    import numpy as np
    import pandas as pd

    if all(_equal(submission[name], reference[name]) for name in submission.columns):
        return None
    if submission.shape[1] == 1:
        left, right = pd.Index(submission.iloc[:, 0]), pd.Index(reference.iloc[:, 0])
    else:
        left, right = pd.MultiIndex.from_frame(submission), pd.MultiIndex.from_frame(reference)
    names = " and ".join(f"'{name}'" for name in submission.columns)
    repeated = left.duplicated()
    if repeated.any():
        row = int(np.argmax(repeated))
        raise InvalidSubmissionError(f"The value {_plain(left[row])} of {names} in row {row + 1} is repeated.")
    order = left.get_indexer(right)
    if (order < 0).any():
        absent = right[int(np.argmax(order < 0))]
        raise InvalidSubmissionError(f"The column {names} must hold the sample's ids, but {_plain(absent)} is missing.")
    return order  # type: ignore[no-any-return]


def _equal(left: pd.Series[Any], right: pd.Series[Any]) -> bool:
    return bool((left.to_numpy() == right.to_numpy()).all())


def _check_labels(column: pd.Series[Any], like: pd.Series[Any] | None) -> None:
    """Refuse labels that cannot be compared with the answers': another kind, missing ones, fractions."""
    import numpy as np
    import pandas as pd

    _refuse_missing(column)
    wants_numbers = like is None or pd.api.types.is_numeric_dtype(like)
    if not pd.api.types.is_numeric_dtype(column):
        if wants_numbers and like is not None:
            wanted = "True or False" if pd.api.types.is_bool_dtype(like) else "whole numbers"
            raise InvalidSubmissionError(f"The column '{column.name}' must hold {wanted}, but it holds text.")
        return
    if not wants_numbers:
        raise InvalidSubmissionError(f"The column '{column.name}' must hold text labels, but it holds numbers.")
    values = column.to_numpy()
    broken = np.zeros(len(values), dtype=bool) if values.dtype == bool else ~(values == np.floor(values))
    if values.dtype.kind == "f":
        broken |= ~np.isfinite(values)
    _refuse(column, broken, "is not a whole number, as labels must be")


def _check_text(column: pd.Series[Any]) -> None:
    import pandas as pd

    broken = ~column.map(lambda value: isinstance(value, str)).to_numpy(dtype=bool)
    if broken.any() and pd.api.types.is_numeric_dtype(column):
        raise InvalidSubmissionError(f"The column '{column.name}' must hold text, but it holds nothing but numbers.")
    _refuse(column, broken, "is not text")


def _check_numbers(column: pd.Series[Any], *, within_one: bool) -> None:
    import numpy as np
    import pandas as pd

    _refuse_missing(column)
    try:
        numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    except OverflowError:  # whole numbers beyond what a float holds
        numbers = column.map(_as_float).to_numpy(dtype=float)
    _refuse(column, np.isnan(numbers), "is not a number")
    _refuse(column, np.isinf(numbers), "is not a finite number")
    if within_one:
        _refuse(column, (numbers < 0) | (numbers > 1), "is not between 0 and 1")


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")
    except (TypeError, ValueError):
        return float("nan")


def _check_sums(frame: pd.DataFrame) -> None:
    import numpy as np

    sums = frame.to_numpy(dtype=float).sum(axis=1)
    broken = ~np.isclose(sums, 1, rtol=1e-5, atol=1e-6)
    if broken.any():
        row = int(np.argmax(broken))
        raise InvalidSubmissionError(
            f"The probabilities of each row must sum to 1, but those of row {row + 1} sum to {sums[row]:.6g}."
        )


def _refuse_missing(column: pd.Series[Any]) -> None:
    _refuse(column, column.isna().to_numpy(), "is missing")


def _refuse(column: pd.Series[Any], broken: np.ndarray[Any, Any], what: str) -> None:
    """Raise for the first broken cell, naming its row (counted from 1 below the header) and column."""
    if broken.any():
        row = int(broken.argmax())
        value = "The value" if what == "is missing" else f"The value {_plain(column.iloc[row])}"
        raise InvalidSubmissionError(f"{value} of column '{column.name}' in row {row + 1} {what}.")


def _plain(value: object) -> str:
    """Return a value as short, printable text without braces, since clients look for JSON in the output."""
    if isinstance(value, tuple):
        return ", ".join(map(_plain, value))
    text = value if isinstance(value, str) else str(value)
    text = "".join(character if character.isprintable() else "?" for character in text[:60])
    text = text.replace("{", "(").replace("}", ")") + ("…" if len(str(value)) > 60 else "")
    return f"'{text}'" if isinstance(value, str) else text


def _columns(names: Any) -> str:
    shown = [_plain(str(name)) for name in list(names)[:8]]
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"column{'s' if len(names) != 1 else ''} {', '.join(shown)}{more}" if shown else "no columns"


def _rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"
