from __future__ import annotations

import pytest

from mlebench.analysis.model import Estimate
from mlebench.analysis.outcomes import MARKS
from mlebench.analysis.tables.table import Cell, Column, Table, estimate, interval, marks, number, text, whole


@pytest.mark.parametrize(
    ("cell", "shown", "value"),
    [
        (text(None), "–", None),
        (text(""), "", ""),
        (number(None), "–", None),
        (number(-0.25, 2), "−0.25", -0.25),
        (number(2.0, 0), "2", 2.0),
        (whole(None), "–", None),
        (whole(0), "0", 0),
        (whole(12345), "12,345", 12345),
        (interval(None), "–", None),
        (interval((-1.0, 2.25)), "−1.0 to 2.2", "-1 2.25"),
        (estimate(Estimate(per_seed=(), mean=None, sem=None)), "–", None),
        (marks(MARKS[:2]), "G S", "gold silver"),
        (marks(()), "", ""),
    ],
)
def test_a_cell_has_a_text_for_people_and_a_value_for_files(cell: Cell, shown: str, value: object) -> None:
    assert (cell.text, cell.value) == (shown, value)


def test_control_characters_are_not_in_the_text() -> None:
    assert "\x1b" not in text("\x1b[31m").text


@pytest.mark.parametrize(
    ("cell", "expected"), [(marks(MARKS[:2]), True), (marks(()), False), (Cell("more", marks=MARKS[:1]), False)]
)
def test_a_cell_of_symbols_only_is_recognized(cell: Cell, expected: bool) -> None:
    assert cell.is_marks_only is expected


def make_table(*rows: int, by: int | None = None) -> Table[int]:
    """Make a table of numbers, in groups by their quotient."""
    columns = (
        Column("n", "N", whole),
        Column("mean", "Mean", lambda row: Cell(f"{row}", row, error=row / 10), has_error=True),
    )
    return Table("numbers", "Numbers", "", columns, rows, (lambda row: row // by) if by else None)


@pytest.mark.parametrize(
    ("rows", "by", "ends"),
    [((), 10, ()), ((1, 2), None, ()), ((1,), 10, (0,)), ((1, 2, 11, 12, 13, 1), 10, (1, 4, 5))],
)
def test_a_line_is_drawn_after_each_group(rows: tuple[int, ...], by: int | None, ends: tuple[int, ...]) -> None:
    assert make_table(*rows, by=by).group_ends == ends


def test_records_have_a_field_for_errors() -> None:
    assert make_table(5).records() == [{"n": 5, "mean": 5, "mean_sem": 0.5}]


def test_a_frame_without_rows_has_all_columns() -> None:
    assert list(make_table().to_frame().columns) == ["n", "mean", "mean_sem"]
