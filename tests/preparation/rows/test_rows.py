from __future__ import annotations

import numpy as np
import pytest

from mlebench.ground.tables import read_csv, write_csv
from mlebench.preparation.rows import FrameRows, read_rows
from mlebench.preparation.rows.lines import LineRows

CLEAN = "id,x,y,t\n" + "".join(f"key-{n},{n / 8},{n % 3},{n % 2 == 0}\n" for n in range(200))


ODD_ROWS = "".join(f"key-{n},{n},1,True\n" for n in range(300))


def test_clean_tables_and_those_with_odd_rows_are_moved_as_lines(tmp_path):
    path = tmp_path / "x.csv"
    odd = (CLEAN + "key-x,4.50,1,True\n", CLEAN + "key-y,1e-9,1,False\nNA,,2,True\n", CLEAN + ODD_ROWS)
    for text in (CLEAN, *odd):
        path.write_text(text)
        assert isinstance(read_rows(path), LineRows)


@pytest.mark.parametrize(
    "text",
    ["", "a,b\n", 'a,b\n"x",1\n', "a,b\r\n1,2\r\n", "a,b\n1\n", "a,a\n1,2\n", "a,\n1,2\n", "a,b\n1,2", "a\n007\n"],
)
def test_what_only_pandas_can_print_is_a_frame(tmp_path, text):
    (tmp_path / "x.csv").write_bytes(text.encode())
    rows = read_rows(tmp_path / "x.csv")
    assert isinstance(rows, FrameRows)
    rows.write(tmp_path / "out.csv")
    write_csv(read_csv(tmp_path / "x.csv"), tmp_path / "frame.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "frame.csv").read_bytes()


@pytest.mark.parametrize("make", [LineRows.read, lambda path: FrameRows(read_csv(path))], ids=["lines", "frame"])
def test_both_kinds_of_rows_behave_alike(tmp_path, make):
    (tmp_path / "x.csv").write_text(CLEAN)
    rows = make(tmp_path / "x.csv").take(np.array([5, 3, 4])).take(np.array([2, 0]))
    assert len(rows) == 2
    frame = rows.frame(["y", "id"])
    assert frame.to_dict("list") == {"y": [1, 2], "id": ["key-4", "key-5"]}
    rows.write(tmp_path / "out.csv", drop=["t", "id"])
    assert (tmp_path / "out.csv").read_text() == "x,y\n0.5,1\n0.625,2\n"
    rows.write(tmp_path / "out.csv", drop=["x", "y", "t"])
    assert (tmp_path / "out.csv").read_text() == "id\nkey-4\nkey-5\n"
