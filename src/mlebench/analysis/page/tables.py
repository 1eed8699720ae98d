"""Any table of a report as a section of the page; the script makes it sort, and lets long ones be filtered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.marks import MARKS
from mlebench.analysis.page.markup import Html, join, table, tag
from mlebench.analysis.wording import NOTHING, printable

if TYPE_CHECKING:
    from mlebench.analysis.tables.table import Cell, Column, Table

_MARKS = {mark.name for mark in MARKS}


def table_section(shown: Table) -> Html | None:
    """Return a table under its title, with its caption as a note; None for one without rows."""
    if not shown.rows:
        return None
    header = tag(
        "tr",
        join(
            tag("th", tag("bdi", column.heading), scope="col", class_="number" if column.is_number else None)
            for column in shown.columns
        ),
    )
    rows = (
        tag(
            "tr",
            join(
                _cell(column, cell, place) for place, (column, cell) in enumerate(zip(shown.columns, row, strict=True))
            ),
        )
        for row in shown.rows
    )
    return tag(
        "section",
        tag("h2", shown.title, id=f"table-{shown.name}"),
        join(tag("p", line, class_="note") for line in shown.caption.splitlines()),
        table(shown.title, [header], rows, "sortable"),
    )


def _cell(column: Column, cell: Cell, place: int) -> Html:
    text = _marks(cell) if cell.spans else cell.text
    if place == 0:
        return tag("th", tag("bdi", text), scope="row", data_value=_value(cell))
    if column.is_number:
        return tag("td", text, class_="number", data_value=_value(cell))
    return tag("td", tag("bdi", text), data_value=_value(cell))


def _value(cell: Cell) -> str | None:
    """Return what the cell sorts by, where that is not what it shows."""
    if cell.text == NOTHING:
        return ""
    if cell.value is None or cell.spans:
        return None
    value = printable(str(cell.value), limit=200)
    return None if value == cell.text else value


def _marks(cell: Cell) -> Html:
    pairs = zip(cell.text.split(" "), str(cell.value).split(" "), strict=False)
    return join(
        tag("span", sign, class_=f"mark {name}" if name in _MARKS else None, title=name) for sign, name in pairs
    )
