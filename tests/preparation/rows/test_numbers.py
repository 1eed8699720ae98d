from __future__ import annotations

import io

import pandas as pd
import pytest

from mlebench.preparation.rows.numbers import is_number, printed_as_float


@pytest.mark.parametrize(
    "text",
    ["0", "7", "-7", "+007", " 5\t", "1.", ".5", "-0.0", "1e5", "1.5E-07", "9" * 18, "inf", "-Infinity", "+iNf"],
)
def test_what_pandas_reads_as_a_number_is_one(text):
    assert is_number(text.encode(), 0, len(text))
    frame = pd.read_csv(io.StringIO(f"a\n{text}\n0.5\n"))
    assert frame["a"].dtype == float


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ".",
        "-",
        "+-1",
        "-0",
        "-00 ",
        "9" * 19,
        "1e",
        "1e100",
        "1.2.3",
        "1_000",
        "0x10",
        "1,5",
        "nan",
        "infinite",
    ],
)
def test_text_and_numbers_that_versions_of_pandas_read_differently_are_none(text):
    assert not is_number(text.encode(), 0, len(text))


def test_only_the_given_part_of_a_text_is_looked_at():
    assert is_number(b"a,12,b", 2, 4)
    assert not is_number(b"a,12,b", 2, 5)


@pytest.mark.parametrize(
    ("cell", "printed"),
    [(b"1.50", b"1.5"), (b" 7 ", b"7.0"), (b"1e5", b"100000.0"), (b"0.00001", b"1e-05"), (b"-INF", b"-inf")],
)
def test_a_number_is_printed_as_the_shortest_text_of_its_float(cell, printed):
    assert printed_as_float(cell) == printed
