"""Random texts, and tables that Arrow writes block by block; the modules of the tasks share them."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

BLOCK_ROWS = 2**19
FREQUENCY_EXPONENT = 8
"""Makes the first words of a list so frequent that texts compress like real ones."""
LETTERS = "etaoinshrdlucmfwypvbgkjqxz"


def blocks(rows: int, size: int = BLOCK_ROWS) -> Iterator[tuple[int, int]]:
    """Yield the first row and the number of rows of each block."""
    for first in range(0, rows, size):
        yield first, min(size, rows - first)


def write_rows(file: IO[bytes], columns: Mapping[str, Any], *, quoted: bool = False) -> None:
    """Append rows to a CSV file, without a header; with `quoted`, texts are quoted where needed."""
    options = csv.WriteOptions(include_header=False, quoting_style="needed" if quoted else "none")
    csv.write_csv(pa.table(dict(columns)), file, options)


def write_table(path: Path, columns: Mapping[str, Any]) -> None:
    """Write a CSV file with a header."""
    with path.open("wb") as file:
        file.write(header(columns))
        write_rows(file, columns)


def header(names: Sequence[str] | Mapping[str, Any]) -> bytes:
    """Return the header line of a CSV file."""
    return ",".join(names).encode() + b"\n"


def padded(numbers: np.ndarray, width: int) -> pa.Array:
    """Return numbers as texts of a width, with leading zeros."""
    return pc.utf8_lpad(pc.cast(pa.array(numbers), pa.string()), width, "0")


def joined(*parts: Any) -> pa.Array:
    """Return the concatenation of texts, row by row."""
    return pc.binary_join_element_wise(*parts, "")


def hexadecimal(rng: np.random.Generator, count: int, digits: int) -> pa.Array:
    """Return random texts of hexadecimal digits."""
    text = rng.bytes(count * digits // 2).hex().encode()
    offsets = np.arange(count + 1, dtype=np.int32) * digits
    return pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(text))


def make_words(rng: np.random.Generator, count: int, letters: str = LETTERS) -> list[str]:
    """Return words of 2 to 9 letters; the first letters of `letters` are frequent."""
    share = 1 / (2 + np.arange(len(letters)))
    lengths = rng.integers(2, 10, count)
    drawn = rng.choice(list(letters), int(lengths.sum()), p=share / share.sum())
    text, ends = "".join(drawn.tolist()), np.cumsum(lengths).tolist()
    return [text[end - length : end] for end, length in zip(ends, lengths.tolist(), strict=True)]


def make_sentences(rng: np.random.Generator, count: int, words: list[str], mean: int) -> list[str]:
    """Return texts with a mean number of words; the first words of the list are frequent."""
    lengths = 1 + rng.poisson(rng.gamma(3, (mean - 1) / 3, count))
    drawn = np.asarray(words, dtype=object)[
        (len(words) * rng.random(int(lengths.sum())) ** FREQUENCY_EXPONENT).astype(int)
    ]
    return [" ".join(part) for part in np.split(drawn, np.cumsum(lengths)[:-1])]
