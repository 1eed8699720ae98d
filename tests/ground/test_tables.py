"""Tables are written the same on every Python."""

import csv
import io

import pandas as pd
import pytest

from mlebench.ground import tables
from mlebench.ground.tables import read_csv, write_csv, write_quoted_csv

FRAME = pd.DataFrame(
    {
        "id": [1, 2, 3, 4, 5],
        "text": ["a\rb", 'say "\r"', "a\r\nb", None, "\ue000,\r"],
        "more": ["x", "y\r", "", "z", "w"],
        "last": [None, "\ue000", "", "\ue001", None],
    }
)
BYTES = (
    'id,text,more,last\n1,a\rb,x,\n2,"say ""\r""",y\r,\ue000\n3,"a\r\nb",,\n4,,z,\ue001\n5,"\ue000,\r",w,\n'.encode()
)


@pytest.mark.parametrize("rows", [1, 2, 100_000])
@pytest.mark.parametrize("quotes", [True, False, None])
def test_a_lone_carriage_return_stands_bare(tmp_path, monkeypatch, quotes, rows):
    monkeypatch.setattr(tables, "ROWS_AT_A_TIME", rows)
    if quotes is True or (quotes is False and not tables._PYTHON_QUOTES_RETURNS):
        monkeypatch.setattr(tables, "_PYTHON_QUOTES_RETURNS", quotes)
    write_csv(FRAME, tmp_path / "new" / "table.csv")
    assert (tmp_path / "new" / "table.csv").read_bytes() == BYTES
    write_csv(FRAME.rename(columns={"id": "i\rd"}), tmp_path / "named.csv")
    assert (tmp_path / "named.csv").read_bytes() == BYTES.replace(b"id", b"i\rd", 1)


def test_an_empty_file_is_an_empty_frame(tmp_path):
    (tmp_path / "empty.csv").touch()
    assert read_csv(tmp_path / "empty.csv").shape == (0, 0)


def test_quoted_text_is_that_of_pandas():
    cells = ["plain", 'say ""hi""', "two\nlines", "a,b", None, "", "7", "\r", " "]
    frame = pd.DataFrame({'the "id"': range(len(cells)), "text": cells, "b": cells[::-1]})
    for table in (frame, frame.assign(part=0.5), frame.assign(mixed=[*cells[:-1], 7]), frame.iloc[:0]):
        file = io.BytesIO()
        write_quoted_csv(table, file)
        wanted = table.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        assert file.getvalue().decode() == wanted


def test_columns_of_text_are_read_as_they_are():
    table = read_csv(io.BytesIO(b'id,a,b\nNA,NA,NA\nx,007,1.50\ny,,\nz,"null, 1"'), text=["a"])
    assert table["a"].tolist() == ["NA", "007", "", "null, 1"]
    assert table["b"].isna().tolist() == [True, False, True, True]
    assert table["id"].isna().tolist() == [True, False, False, False]
