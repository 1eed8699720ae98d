"""Floats as pandas parses them by default before version 3.1, where the last digit may be wrong.

That parser adds digit after digit to a float, and then multiplies or divides it by a power of ten. This is exact up to
15 digits; with more, it rounds several times. `parse_by_digits` does the same with every version of pandas.
"""

from __future__ import annotations

import io
import mmap
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.ground.tables import read_csv

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    Floats = np.ndarray[Any, np.dtype[np.float64]]

DIGITS = 17
"""Significant digits that are taken; leading zeros count."""
POWERS = np.array([float(f"1e{power}") for power in range(309)])
MAY_ROUND = re.compile(rb"\d[\d.]{15}|[\d.][eE]")
"""A text without a match holds no number that the two parsers read differently."""


def read_csv_by_digits(source: Path | io.BytesIO, **options: Any) -> pd.DataFrame:
    """Read a CSV table as pandas does by default before version 3.1.

    Parameters
    ----------
    source
        A file, or its content in memory.
    **options
        Options of `pandas.read_csv`.
    """

    def read(**more: Any) -> pd.DataFrame:
        if isinstance(source, io.BytesIO):
            source.seek(0)
        return read_csv(source, **options, **more)

    table = read()
    floats = [name for name in table.columns if table[name].dtype.kind == "f"]
    if not floats or not may_round(source):
        return table
    texts = read(usecols=floats, dtype=str, keep_default_na=False)
    return table.assign(**{name: parse_by_digits(texts[name], table[name].to_numpy()) for name in floats})


def may_round(source: Path | io.BytesIO) -> bool:
    """Whether a file may hold a number that the two parsers read differently."""
    if isinstance(source, io.BytesIO):
        return MAY_ROUND.search(source.getbuffer()) is not None
    if not source.stat().st_size:
        return False
    with source.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        return MAY_ROUND.search(text) is not None


def parse_by_digits(texts: pd.Series[str], exact: Floats) -> Floats:
    """Return the floats that the old parser makes of decimal texts; for all texts at once, in a quarter of the time.

    Parameters
    ----------
    texts : series of str
        Decimal numbers.
    exact : array of the same length
        Their exact floats; those that are not finite are returned unchanged.
    """
    parts = texts.str.lower().str.partition("e")
    given = np.isfinite(exact)
    mantissas = parts[0].where(given, "0").to_numpy(dtype=object).astype("S")
    exponent = parts[2].where(given & (parts[2] != ""), "0").to_numpy(dtype=object).astype(np.int64)
    number, count = np.zeros(len(exact)), np.zeros(len(exact), dtype=np.int64)
    after_point = np.zeros(len(exact), dtype=bool)
    for character in mantissas.view(np.uint8).reshape(len(exact), -1).T:
        is_digit = (character >= ord("0")) & (character <= ord("9"))
        taken = is_digit & (count < DIGITS)
        number = np.where(taken, number * 10.0 + (character - float(ord("0"))), number)
        count += taken
        exponent += (is_digit & ~taken & ~after_point).astype(np.int64) - (taken & after_point)
        after_point |= character == ord(".")
    number = np.copysign(number, exact)
    up, down, tiny = (np.clip(power, 0, 308) for power in (exponent, -exponent, -308 - exponent))
    with np.errstate(over="ignore", under="ignore"):
        number = np.where(exponent > 0, number * POWERS[up], number / POWERS[tiny] / POWERS[down])
    return np.where(given, number, exact)
