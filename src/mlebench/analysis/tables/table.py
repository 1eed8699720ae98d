"""What a table is: named columns, and cells that have a text and the numbers behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mlebench.analysis.wording import NOTHING, estimate_text, printable

if TYPE_CHECKING:
    from mlebench.analysis.estimates import Estimate

Value = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in files, its heading for people."""

    name: str
    heading: str
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text for people, and its value, with an error where it has one."""

    text: str
    value: Value = None
    error: float | None = None
    has_error: bool = False
    spans: tuple[tuple[str, str], ...] = ()
    """The text again in parts with their styles, for terminals that have colours."""
    note: str = ""
    """A second line where there is room for one."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, made to be shown as anything."""

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_dense: bool = False
    """Whether the columns fit into a terminal only with errors beneath their values."""
    groups: tuple[int, ...] = field(default=())
    """Rows after which a line helps the eye."""


def text_cell(text: str | None, note: str = "") -> Cell:
    """Return a cell with a text of unknown origin."""
    if text is None:
        return Cell(NOTHING)
    return Cell(printable(text), text, note=note)


def number_cell(value: float | None, digits: int = 1) -> Cell:
    """Return a cell with a number of so many decimals."""
    return Cell(NOTHING) if value is None else Cell(f"{value:.{digits}f}".replace("-", "−"), value)


def whole_cell(value: int | None) -> Cell:
    """Return a cell with a whole number."""
    return Cell(NOTHING) if value is None else Cell(f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}"), value)


def estimate_cell(estimate: Estimate) -> Cell:
    """Return a cell with a mean and its standard error."""
    return Cell(estimate_text(estimate), estimate.mean, estimate.sem, has_error=True)


def interval_cell(ends: tuple[float, float] | None) -> Cell:
    """Return a cell with both ends of an interval."""
    if ends is None:
        return Cell(NOTHING)
    low, high = (f"{end:.1f}".replace("-", "−") for end in ends)
    return Cell(f"{low} to {high}", f"{ends[0]:.4g} {ends[1]:.4g}")
