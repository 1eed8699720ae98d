"""Floats as pandas' default parser read them before version 3.1."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

from mlebench.preparation import read_csv_by_digits

PAIRS = {
    "0.12345678901234568": 0.1234567890123456,  # leading zeros count as digits, and only 17 are taken
    "37.40290599505734": 37.40290599505734,
    "1.5e-320": 1.5e-320,
    "-2e400": -np.inf,
    "0.1": 0.1,
    "": np.nan,
}
VERSION = tuple(map(int, pd.__version__.split(".")[:2]))
NEEDS_THAT_PARSER = pytest.mark.skipif(VERSION >= (3, 1), reason="this pandas has no other parser than the exact")


def test_known_texts(tmp_path):
    (tmp_path / "a.csv").write_text("id,x\n" + "".join(f"t,{text}\n" for text in PAIRS))
    np.testing.assert_array_equal(read_csv_by_digits(tmp_path / "a.csv")["x"], list(PAIRS.values()))


def test_short_numbers_and_whole_ones_are_read_exactly(tmp_path):
    (tmp_path / "a.csv").write_text("id,x,n\n1,0.57,9007199254740993\n2,1e-5,9007199254740995\n")
    table = read_csv_by_digits(tmp_path / "a.csv")
    assert table["x"].tolist() == [0.57, 1e-5]
    assert table["n"].tolist() == [9007199254740993, 9007199254740995]


@NEEDS_THAT_PARSER
def test_all_is_as_pandas_has_it(tmp_path):
    draw = random.Random(0)
    rows = [",".join(make_number(draw) for _ in range(3)) for _ in range(20_000)]
    (tmp_path / "a.csv").write_text("x,y,z\n" + "\n".join(rows) + "\n")
    pd.testing.assert_frame_equal(
        read_csv_by_digits(tmp_path / "a.csv"), pd.read_csv(tmp_path / "a.csv"), check_exact=True
    )


def make_number(draw: random.Random) -> str:
    digits = "".join(draw.choices("0123456789", k=draw.randint(1, 22)))
    place = draw.randint(0, len(digits))
    exponent = draw.choice(["", "", "", f"e{draw.randint(-290, 290)}", f"E+{draw.randint(0, 30)}"])
    plain = draw.choice(["", "-", "+"]) + digits[:place] + "." + digits[place:] + exponent
    return draw.choice([plain, plain, plain, "nan", "", repr(draw.gauss(0, 100))])
