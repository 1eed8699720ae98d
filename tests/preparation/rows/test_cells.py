from __future__ import annotations

import numpy as np
import pytest

from mlebench.preparation.rows.cells import (
    Kind,
    is_uniform,
    kinds_found,
    kinds_of_rows,
    rows_with_others,
    unchanged_kinds,
)
from mlebench.preparation.rows.scan import ends_of_cells

CELLS = {
    Kind.EMPTY: [""],
    Kind.INTEGER: ["0", "7", "-7", "10", "9" * 18],
    Kind.DECIMAL: ["0.0", "0.5", "-1.25", "0.0001", "12345678901234.5", "0.123456789012345"],
    Kind.ODD_NUMBER: [
        *("007", "-0", "+5", "9" * 19, "1.", ".5", "1.50", "00.5", "0.00001", "1e5", "1.2.3", "1-2", " 5"),
        *("0.1234567890123456", "123456789012345.5", "inf", "-Infinity", "+INF"),
    ],
    Kind.MISSING: ["NA", "nan", "NaN", "NULL", "None", "<NA>", "-1.#QNAN"],
    Kind.BOOLEAN: ["True", "False"],
    Kind.ODD_BOOLEAN: ["true", "FALSE", "tRue"],
    Kind.TEXT: ["a", "-", ".", "e", "1a", "Na", "Nan", "none", "Truely", "infinities", "\u00e9"],
}


def kinds_of(*rows: str) -> np.ndarray:
    text = np.frombuffer("".join(f"{row}\n" for row in rows).encode(), dtype=np.uint8)
    return kinds_of_rows(text, ends_of_cells(text).reshape(len(rows), -1))


def columns(*kinds: str) -> np.ndarray:
    """The kinds of columns, by their names."""
    return np.array([sum(Kind[name] for name in names.split()) for names in kinds], dtype=np.uint8)


@pytest.mark.parametrize(("kind", "cell"), [(kind, cell) for kind, cells in CELLS.items() for cell in cells])
def test_the_characters_of_a_cell_tell_its_kind(kind, cell):
    """Whatever stands in front of it and behind it."""
    assert [Kind(found) for found in kinds_of(f"x,{cell},x", f"1,{cell},2").ravel()] == [
        *(Kind.TEXT, kind, Kind.TEXT),
        *(Kind.INTEGER, kind, Kind.INTEGER),
    ]


@pytest.mark.parametrize("cell", ["07", "-0", "-", "--1", "1-1", "9" * 19, "", "-07"])
def test_a_table_of_integers_with_one_other_cell_is_not_all_integers(cell):
    kinds = kinds_of("1,2", f"3,{cell}", "-5,0")
    assert kinds[1, 1] != Kind.INTEGER
    assert np.delete(kinds.ravel(), 3).tolist() == [Kind.INTEGER] * 5


def test_rows_that_are_alike_share_one_row_of_kinds():
    assert is_uniform(kinds_of("1,2", "3,4"))
    assert is_uniform(kinds_of("a,0.5", "b,1.5"))
    assert not is_uniform(kinds_of("a,0.5", "b,2"))


@pytest.mark.parametrize(
    ("found", "safe"),
    [
        ("INTEGER", "INTEGER"),
        ("INTEGER DECIMAL", "DECIMAL EMPTY"),
        ("INTEGER EMPTY", "DECIMAL EMPTY"),
        ("DECIMAL ODD_NUMBER MISSING", "DECIMAL EMPTY"),
        ("BOOLEAN", "BOOLEAN EMPTY"),
        ("BOOLEAN MISSING", "BOOLEAN EMPTY"),
        ("TEXT", "TEXT INTEGER DECIMAL BOOLEAN EMPTY"),
        ("TEXT BOOLEAN MISSING", "TEXT INTEGER DECIMAL BOOLEAN EMPTY"),
    ],
)
def test_the_kinds_of_a_column_tell_which_cells_are_printed_unchanged(found, safe):
    assert unchanged_kinds(columns(found)).tolist() == columns(safe).tolist()


@pytest.mark.parametrize(
    "found",
    [
        *("TEXT ODD_NUMBER", "TEXT INTEGER EMPTY", "TEXT INTEGER DECIMAL", "BOOLEAN INTEGER", "BOOLEAN ODD_BOOLEAN"),
        *("ODD_NUMBER", "ODD_NUMBER INTEGER"),
    ],
)
def test_a_column_whose_type_is_unclear_makes_the_table_unclear(found):
    assert unchanged_kinds(columns("INTEGER", found)) is None


@pytest.mark.parametrize("rows", [("1,2", "3,4"), ("1,a", "2,0.5", "3,")])
def test_rows_with_a_cell_of_another_kind_are_found(rows):
    kinds = kinds_of(*rows)
    assert not rows_with_others(kinds, kinds_found(kinds)).any()
    assert rows_with_others(kinds, columns("TEXT", "TEXT")).tolist() == [True] * len(rows)
