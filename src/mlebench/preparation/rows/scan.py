"""Scan the lines of a CSV text: where they end, and what their cells look like."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mlebench.preparation.rows.cells import Kind, kinds_of_rows
from mlebench.preparation.rows.numbers import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.preparation.rows.cells import Bytes, Kinds, Positions

BLOCK = 2**19
"""Bytes that are scanned, or written, at a time; so many fit into a processor's cache."""
NEWLINE, COMMA, MAX_ASCII = ord("\n"), ord(","), 127


class Block(NamedTuple):
    """Some complete lines: where they end, and the kinds of their cells."""

    stops: Positions
    kinds: Kinds


def scan_lines(text: Any, head: int, columns: int) -> list[Block] | None:
    """Scan all lines after the header.

    Parameters
    ----------
    text : bytes or mmap
        The whole file.
    head
        Bytes of the header, its line feed included.
    columns
        Number of columns.

    Returns
    -------
    list of Block or None
        None if a line has another number of cells, is not UTF-8, or holds what may not be a number.
    """
    data = np.frombuffer(text, dtype=np.uint8)
    blocks = []
    with ThreadPoolExecutor() as pool:  # 1.9 times as fast on two cores: NumPy releases the interpreter
        for block in pool.map(lambda place: _scan_block(data, place, columns), list(_places_of_blocks(text, head))):
            if block is None:
                pool.shutdown(cancel_futures=True)
                return None
            blocks.append(block)
    return blocks


def ends_of_cells(lines: Bytes) -> Positions:
    """Return the positions of all commas and line feeds."""
    return np.flatnonzero((lines == NEWLINE) | (lines == COMMA))


def _places_of_blocks(text: Any, first: int) -> Iterator[slice]:
    while first < len(text):
        stop = (text.rfind(b"\n", first, first + BLOCK) + 1) or (text.find(b"\n", first) + 1)
        yield slice(first, stop)
        first = stop


def _scan_block(text: Bytes, place: slice, columns: int) -> Block | None:
    lines = text[place]
    if (lines > MAX_ASCII).any():
        try:
            bytes(lines).decode()
        except UnicodeDecodeError:
            return None
    ends = ends_of_cells(lines)
    if len(ends) % columns:
        return None
    ends = ends.reshape(-1, columns)
    if np.count_nonzero(lines == NEWLINE) != len(ends) or not (lines[ends[:, -1]] == NEWLINE).all():
        return None
    kinds = kinds_of_rows(lines, ends)
    return Block(place.start + ends[:, -1], kinds) if _odd_numbers_are_numbers(lines, ends, kinds) else None


def _odd_numbers_are_numbers(lines: Bytes, ends: Positions, kinds: Kinds) -> bool:
    odd = np.flatnonzero(kinds == Kind.ODD_NUMBER)
    if not len(odd):
        return True
    text, bounds = lines.tobytes(), np.concatenate([[-1], ends.ravel()])
    places = zip((bounds[odd] + 1).tolist(), bounds[odd + 1].tolist(), strict=True)
    return all(is_number(text, start, stop) for start, stop in places)
