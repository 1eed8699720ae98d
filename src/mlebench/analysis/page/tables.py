"""Tables on a page; the script makes their columns sort, and adds a filter to long ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.page.markup import Html, join, table, tag
from mlebench.analysis.wording import NOTHING
from mlebench.ground.wording import printable

if TYPE_CHECKING:
    from mlebench.analysis.tables.table import AnyTable, Cell


def table_section(shown: AnyTable, id: str = "", class_: str = "") -> Html:
    """Return a table under its title, with its caption as a note.

    The heading has the id `table-NAME`, unless another one is given.
    """
    return tag(
        "section",
        tag("h2", shown.title, id=id or f"table-{shown.name}"),
        join(tag("p", line, class_="note") for line in shown.caption.splitlines()),
        render_table(shown, f"{class_} sortable".lstrip()),
    )


def render_table(shown: AnyTable, class_: str) -> Html:
    """Return a table."""
    header = tag("tr", join(_heading(column.heading, column.align) for column in shown.columns))
    alignments = [column.align for column in shown.columns]
    rows = (
        tag(
            "tr",
            join(_cell(cell, align, place) for place, (cell, align) in enumerate(zip(row, alignments, strict=True))),
        )
        for row in shown.cells
    )
    return table(shown.title, [header], rows, class_)


def _heading(text: str, align: str) -> Html:
    return tag("th", tag("bdi", text), scope="col", class_=_class(align))


def _cell(cell: Cell, align: str, place: int) -> Html:
    content = join((_content(cell), tag("small", cell.note) if cell.note else None))
    if place == 0:
        return tag("th", content, scope="row", data_value=_sort_value(cell))
    return tag("td", content, class_=_class(align), data_value=_sort_value(cell))


def _class(align: str) -> str | None:
    return "number" if align == "right" else None


def _content(cell: Cell) -> Html:
    symbols = join(tag("span", mark.symbol, class_=f"mark {mark.name}", title=mark.meaning) for mark in cell.marks)
    if cell.is_marks_only:
        return symbols
    text = tag("bdi", cell.text)
    if cell.link:
        text = tag("a", text, href=cell.link)
    return unfold(join((symbols, text)), cell.detail)


def unfold(short: Html, long: str | None) -> Html:
    """Return a short text that unfolds into a longer one, if there is one."""
    if not long:
        return short
    return tag("details", tag("summary", short), tag("p", tag("bdi", printable(long))))


def _sort_value(cell: Cell) -> str | None:
    """Return the value that the cell sorts by, if that is not its text."""
    if cell.text == NOTHING:
        return ""
    if cell.value is None or cell.is_marks_only:
        return None
    value = printable(str(cell.value), limit=200)
    return None if value == cell.text else value
