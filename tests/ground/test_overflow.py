"""Cells of CSV tables have the values that pandas 2.2 gives them, with every supported pandas."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mlebench.ground.tables import read_csv

RECORDED = json.loads(Path(__file__).with_name("cells.json").read_text(encoding="utf-8"))
"""Random columns of odd cells, as pandas 2.2.3 reads them: the kind of the data type, and the values as text."""
ROWS_AT_ONCE = 2**18
"""For so many rows of two columns, pandas infers types together."""


def read_column(cells: list[str]) -> pd.Series[Any]:
    text = "n,v\n" + "".join(f"{row},{cell}\n" for row, cell in enumerate(cells))
    return read_csv(io.BytesIO(text.encode()))["v"]


def described(column: pd.Series[Any]) -> tuple[str, list[Any]]:
    kind = column.dtype.kind if column.dtype.kind in "biuf" else "O"
    values = column.astype(object).tolist()
    return kind, [None if v != v else v if isinstance(v, (str, bool)) else repr(v) for v in values]


def test_columns_have_the_recorded_values():
    found = {tuple(record["cells"]): described(read_column(record["cells"])) for record in RECORDED}
    assert found == {tuple(record["cells"]): (record["kind"], record["values"]) for record in RECORDED}


def test_the_record_has_columns_of_every_kind():
    assert {record["kind"] for record in RECORDED} == set("biufO")


@pytest.mark.parametrize("row", [0, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, ROWS_AT_ONCE + 9])
def test_text_is_confined_to_rows_whose_types_are_inferred_together(row):
    cells = ["1"] * (ROWS_AT_ONCE + 10)
    cells[row] = "1e309"
    column = read_column(cells)
    is_text = column.map(lambda value: isinstance(value, str)).tolist()
    assert is_text == [(place < ROWS_AT_ONCE) == (row < ROWS_AT_ONCE) for place in range(len(cells))]
    assert column[~pd.Series(is_text)].eq(1).all()


def test_a_file_is_read_from_where_it_stands():
    file = io.BytesIO(b"junk\nv\n1\n1e309\n")
    file.readline()
    assert read_csv(file)["v"].tolist() == ["1", "1e309"]


def test_repeated_names_are_told_apart(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("v,v,v\n1,1e309,99999999999999999999\n")
    table = read_csv(path)
    assert table.columns.tolist() == ["v", "v.1", "v.2"]
    assert table.iloc[0].tolist() == [1, "1e309", "99999999999999999999"]


def test_an_id_that_looks_like_a_huge_number_leaves_the_next_column_alone():
    table = read_csv(io.BytesIO(b"id,v\n603e5184-b233-fef8,\nb,0\nc,11\n"))
    assert table["id"].tolist() == ["603e5184-b233-fef8", "b", "c"]
    assert described(table["v"]) == ("f", [None, "0.0", "11.0"])
