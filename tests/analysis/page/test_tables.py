from __future__ import annotations

import pytest

from mlebench.analysis.outcomes import MARKS
from mlebench.analysis.page.markup import Html
from mlebench.analysis.page.tables import render_table, table_section, unfold
from mlebench.analysis.tables.table import Cell, Column, Table, marks, number, text, whole

from ..pages import Outline
from ..records import HOSTILE


def make_table(*cells: Cell) -> Table[Cell]:
    """Make a table with a first column of names and one of these cells."""
    columns = (
        Column("name", "Name", lambda cell: Cell("x")),
        Column("it", "It", lambda cell: cell, "right"),
    )
    return Table("things", "Things", "First line.\nSecond line.", columns, cells)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (number(None), ""),
        (number(-1.5), "-1.5"),
        (whole(1200), "1200"),
        (text("same"), None),
        (Cell("shown", None), None),
        (marks(MARKS[:2]), None),
    ],
)
def test_a_cell_has_a_value_to_sort_by_where_its_text_is_not_enough(cell: Cell, value: str | None) -> None:
    (found,) = (at for tag, at in Outline(render_table(make_table(cell), "sortable")).elements if tag == "td")
    assert found.get("data-value") == value


def test_a_section_has_a_heading_to_link_to_and_a_note_for_each_line() -> None:
    outline = Outline(table_section(make_table()))
    assert [at.get("id") for tag, at in outline.elements if tag == "h2"] == ["table-things"]
    assert [at.get("class") for tag, at in outline.elements if tag == "p"] == ["note", "note"]
    assert 'id="other"' in table_section(make_table(), id="other")


@pytest.mark.parametrize(
    "cell", [text(HOSTILE), Cell("x", note=HOSTILE), Cell("x", detail=HOSTILE), Cell("x", HOSTILE)]
)
def test_hostile_cells_are_text(cell: Cell) -> None:
    outline = Outline(render_table(make_table(cell), "sortable"))
    assert outline.open == []
    assert outline.count("script") == outline.count("img") == 0


@pytest.mark.parametrize("long", [None, ""])
def test_nothing_unfolds_without_a_longer_text(long: str | None) -> None:
    assert unfold(Html("short"), long) == "short"


def test_a_longer_text_unfolds() -> None:
    assert Outline(unfold(Html("short"), "long")).count("details") == 1
