"""A table: columns that make a cell from each row, and cells that have a text for people and a value for files."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from mlebench.analysis.wording import NOTHING, format_estimate
from mlebench.ground.wording import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pandas as pd

    from mlebench.analysis.model import Estimate
    from mlebench.analysis.model.base import Interval
    from mlebench.analysis.outcomes import Mark

Row = TypeVar("Row")
Value = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    text: str
    """For people; printable."""
    value: Value = None
    """For files, and to sort by."""
    error: float | None = None
    """Standard error of the value."""
    marks: tuple[Mark, ...] = ()
    """Symbols that pages show in colour."""
    note: str = ""
    """A second line."""
    detail: str | None = None
    """A longer text, which pages unfold."""
    link: str | None = None
    """What the text links to on pages."""

    @property
    def is_marks_only(self) -> bool:
        """Whether the text consists of the symbols of `marks`."""
        return bool(self.marks) and self.text == " ".join(mark.symbol for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table."""

    name: str
    """In files."""
    heading: str
    """For people."""
    cell: Callable[[Row], Cell]
    """Makes the cell of a row."""
    align: Literal["left", "right"] = "left"
    has_error: bool = False
    """Whether files have a second column with the standard error, `NAME_sem`."""


@dataclass(frozen=True)
class Table(Generic[Row]):
    """A table, independent of the format that shows it."""

    name: str
    title: str
    caption: str
    columns: Sequence[Column[Row]]
    rows: Sequence[Row]
    group_by: Callable[[Row], object] | None = None
    """Neighbouring rows with the same value belong together; formats draw a line after each such group."""
    is_dense: bool = False
    """Whether terminals are too narrow for values and errors on one line."""

    @functools.cached_property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells, by row and column."""
        return tuple(tuple(column.cell(row) for column in self.columns) for row in self.rows)

    @functools.cached_property
    def group_ends(self) -> tuple[int, ...]:
        """The number of the last row of each group; empty without groups."""
        if self.group_by is None:
            return ()
        keys = [self.group_by(row) for row in self.rows]
        return tuple(place for place, key in enumerate(keys) if place + 1 == len(keys) or keys[place + 1] != key)

    @property
    def field_names(self) -> list[str]:
        """The names of the columns in files, errors included."""
        return [
            name
            for column in self.columns
            for name in ([column.name, f"{column.name}_sem"] if column.has_error else [column.name])
        ]

    def records(self) -> list[dict[str, Value]]:
        """Return the values of each row, by field name."""
        return [dict(zip(self.field_names, self._values(row), strict=True)) for row in self.cells]

    def _values(self, row: Sequence[Cell]) -> Iterator[Value]:
        for column, cell in zip(self.columns, row, strict=True):
            yield cell.value
            if column.has_error:
                yield cell.error

    def to_frame(self) -> pd.DataFrame:
        """Return the values as a data frame, with the columns of `field_names`."""
        import pandas as pd

        return pd.DataFrame(self.records(), columns=self.field_names)


AnyTable = Table[Any]


def text(value: str | None, note: str = "") -> Cell:
    """Return a cell with a text of unknown origin."""
    return Cell(NOTHING) if value is None else Cell(printable(value), value, note=note)


def number(value: float | None, digits: int = 1) -> Cell:
    """Return a cell with a number, shown with a number of decimals."""
    return Cell(NOTHING) if value is None else Cell(f"{value:.{digits}f}".replace("-", "−"), value)


def whole(value: int | None) -> Cell:
    """Return a cell with a whole number."""
    return Cell(NOTHING) if value is None else Cell(f"{value:,}", value)


def estimate(value: Estimate) -> Cell:
    """Return a cell with a mean in percent and its standard error."""
    return Cell(format_estimate(value), value.mean, value.sem)


def interval(ends: Interval | None, digits: int = 1) -> Cell:
    """Return a cell with both ends of an interval."""
    if ends is None:
        return Cell(NOTHING)
    shown = " to ".join(f"{end:.{digits}f}".replace("-", "−") for end in ends)
    return Cell(shown, " ".join(f"{end:.4g}" for end in ends))


def marks(shown: Sequence[Mark]) -> Cell:
    """Return a cell with one symbol per run."""
    return Cell(" ".join(mark.symbol for mark in shown), " ".join(mark.name for mark in shown), marks=tuple(shown))
