"""Rows that are moved as lines come out exactly as pandas would print them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mlebench.ground.tables import read_csv, write_csv
from mlebench.preparation.rows import scan
from mlebench.preparation.rows.lines import LineRows

NUMBERS = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1000, 1000).map(lambda number: f"{number:.6f}"),
    st.decimals(-1000, 1000, places=2).map(str),
)
ODD = st.sampled_from(
    "007 +5 -0 0 0.0 -0.0 0.10 00.5 .5 5. 1e5 1E-7 0.0001 0.00001 0.000012 123456789012345.5 1234567890123456.5 - -- "
    "inf -inf Infinity nan NaN NA N/A null None <NA> #N/A True False TRUE false 1e400 99999999999999999999 2020-01-01 "
    "0x10 1_000 1,5 iNf -infinitY tRue -1e400 1e-310 1.e5 1.2.3 1e5.5 123456789012345 1234567890123456".split(" ")
)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters='",\r\n\0'), max_size=12)
KINDS = {
    "whole": st.integers(-(10**6), 10**6).map(str),
    "decimal": st.floats(-1000, 1000).map(lambda number: repr(round(number, 4))),
    "number": NUMBERS,
    "gappy": st.one_of(st.just(""), st.integers(0, 9).map(str), st.just("2.5")),
    "truth": st.sampled_from(["True", "False"]),
    "text": TEXT.filter(lambda text: text.strip() != ""),
    "odd": ODD.filter(lambda text: "," not in text),
    "anything": st.one_of(NUMBERS, ODD.filter(lambda text: "," not in text), TEXT),
}


@st.composite
def tables(draw: st.DrawFn) -> str:
    columns = draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=4))
    rows = draw(st.lists(st.tuples(*(KINDS[kind] for kind in columns)), min_size=1, max_size=12))
    header = ",".join(f"{kind}{number}" for number, kind in enumerate(columns))
    return "\n".join([header, *map(",".join, rows)]) + "\n"


@settings(max_examples=400, deadline=None)
@given(text=tables(), block=st.sampled_from([1, 40, 2**20]))
@example(text="a\n1\n\n2\n", block=1)
@example(text="a\nx\n \t\ny\n", block=1)
@example(text="a,b\n0.5,tRue\niNf,True\n-INFINITY,\n", block=40)
@example(text="a,b\n0.5,x\n1e400,y\n", block=40)
@example(text="a,b\n-007,x\n 5 ,y\n+1.50e+03,z\n12345678901234567,\n,NA\n", block=20)
@example(text="a,b\n2020-01-01,x\n0.5,y\n", block=40)
@example(text="\n \na\n1\n", block=40)
@example(text="a,b\n1,\n2,3\n", block=2**20)
@example(text="a,b\n0.1.2,1\n0.5,2\n", block=2**20)
@example(text="a,b\n0.123456789012345,1\n-0.1234567890123456,2\n", block=2**20)
@example(text="a,b\n0,0.0\n9223372036854775808,0\n", block=1)
@example(text="a,b\n18446744073709551616,0\n0.0,0\n", block=1)
@example(text="a,b\n-0,0\nnan,0\n", block=1)
@example(text="a,b\n1.5,1\n" + "12345678901234567890,2\n" * 3, block=40)
@example(text="a,b\nx,1\nNA,2\ny,3\nz,4\nz,5\nz,6\nz,7\nz,8\nz,9\nz,1\nz,2\n", block=40)
@example(text="id,x\n" + "".join(f"k{n},{n}.5\n" for n in range(30)) + "k99,4.50\n", block=100)
def test_lines_come_out_as_pandas_prints_them(text, block, tmp_path_factory):
    """However few lines are looked at and written at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "BLOCK", block)
        check_lines(text, tmp_path_factory.mktemp("lines"))


def check_lines(text, folder):
    (folder / "raw.csv").write_bytes(text.encode())
    lines = LineRows.read(folder / "raw.csv")
    if lines is None:
        return
    order = np.random.RandomState(0).permutation(len(lines))
    lines.take(order).write(folder / "lines.csv")
    frame = read_csv(folder / "raw.csv")
    assert lines.columns == list(frame.columns)
    write_csv(frame.iloc[order], folder / "frame.csv")
    assert (folder / "lines.csv").read_bytes() == (folder / "frame.csv").read_bytes()
    if len(frame.columns) > 1:
        lines.take(order).write(folder / "lines.csv", drop=lines.columns[:1])
        write_csv(frame.iloc[order].drop(columns=frame.columns[0]), folder / "frame.csv")
        assert (folder / "lines.csv").read_bytes() == (folder / "frame.csv").read_bytes()
