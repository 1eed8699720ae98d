"""Large CSV tables whose rows are moved as they are: read, split and written without a frame of all cells."""

from __future__ import annotations

import io
import mmap
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from mlebench.preparation.cells import ColumnKinds, is_uniform, kinds_of_rows
from mlebench.tables import read_csv, write_csv

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

    from mlebench.preparation.cells import Kinds

    Positions = np.ndarray[Any, np.dtype[np.int64]]

BLOCK = 16 * 1024**2
"""Bytes that are looked at, or written, at a time."""
NEWLINE, COMMA, LAST_OF_ASCII = ord("\n"), ord(","), 127
MOST_REPRINTED = 0.1
"""Share of rows above which pandas does the whole work."""


class Rows(Protocol):
    """The rows of a table that are split and written, but hardly looked at."""

    columns: list[str]

    def __len__(self) -> int: ...

    def take(self, positions: Positions) -> Rows:
        """Return the rows at positions, in that order."""
        ...

    def frame(self, columns: Sequence[str]) -> pd.DataFrame:
        """Return some columns as a frame."""
        ...

    def write(self, path: Path, drop: Sequence[str] = ()) -> None:
        """Write the rows as `write_csv` does, without some of the columns."""
        ...


def read_rows(path: Path) -> Rows:
    """Read a CSV file for splitting: as lines where those come out as they stand, else as a frame."""
    return Lines.read(path) or FrameRows(read_csv(path))


class FrameRows:
    """Rows of a frame, for tables that only pandas can print."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self.columns = list(frame.columns)

    def __len__(self) -> int:
        return len(self._frame)

    def take(self, positions: Positions) -> FrameRows:
        return FrameRows(self._frame.iloc[positions])

    def frame(self, columns: Sequence[str]) -> pd.DataFrame:
        return self._frame[list(columns)]

    def write(self, path: Path, drop: Sequence[str] = ()) -> None:
        write_csv(self._frame.drop(columns=list(drop)), path)


class Lines:
    """Rows of a file that come out of pandas as they stand, but for some that are printed anew."""

    def __init__(self, text: Any, columns: list[str], starts: Positions, stops: Positions, reprints: Reprints) -> None:
        self.columns = columns
        self._text = text
        self._starts = starts
        self._stops = stops
        self._reprints = reprints

    @classmethod
    def read(cls, path: Path) -> Lines | None:
        """Return the lines of a file, or None where only pandas can tell how it would print them."""
        with path.open("rb") as file:
            try:
                text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError:  # an empty file
                return None
        if any(text.find(sign) >= 0 for sign in (b'"', b"\r", b"\0")) or text[:3] == b"\xef\xbb\xbf":
            return None
        data = np.frombuffer(text, dtype=np.uint8)
        ends = np.flatnonzero(data == NEWLINE)
        if len(ends) < 2 or ends[-1] != len(data) - 1:
            return None
        try:
            columns = text[: ends[0]].decode().split(",")
        except UnicodeDecodeError:
            return None
        starts, stops = ends[:-1] + 1, ends[1:]
        if len(set(columns)) < len(columns) or not all(columns) or (stops == starts).any():
            return None
        reprints = _reprint(text, data, starts, stops, len(columns))
        return None if reprints is None else cls(text, columns, starts, stops, reprints)

    def __len__(self) -> int:
        return len(self._starts)

    def take(self, positions: Positions) -> Lines:
        return Lines(self._text, self.columns, self._starts[positions], self._stops[positions], self._reprints)

    def frame(self, columns: Sequence[str]) -> pd.DataFrame:
        text = b"\n".join([",".join(self.columns).encode(), *self._lines(0, len(self)), b""])
        return read_csv(io.BytesIO(text), usecols=list(columns))[list(columns)]

    def write(self, path: Path, drop: Sequence[str] = ()) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = [number for number, name in enumerate(self.columns) if name not in drop]
        size = _rows_of_a_block(self._starts, self._stops)
        with path.open("wb") as file:
            file.write(",".join(self.columns[number] for number in kept).encode() + b"\n")
            for first in range(0, len(self), size):
                lines = self._lines(first, first + size)
                if drop:
                    rows = (line.split(b",") for line in lines)
                    lines = [b",".join([cells[number] for number in kept]) for cells in rows]
                if len(kept) == 1:  # a blank line would be no row
                    lines = [line or b'""' for line in lines]
                file.write(b"\n".join([*lines, b""]))

    def _lines(self, first: int, last: int) -> list[bytes]:
        text, starts = self._text, self._starts[first:last]
        lines = [
            text[start:stop] for start, stop in zip(starts.tolist(), self._stops[first:last].tolist(), strict=True)
        ]
        where = np.minimum(np.searchsorted(self._reprints.starts, starts), max(len(self._reprints.starts) - 1, 0))
        if len(self._reprints.starts):
            for place in np.flatnonzero(self._reprints.starts[where] == starts):
                lines[place] = self._reprints.lines[where[place]]
        return lines


class Reprints(NamedTuple):
    """The rows that pandas prints otherwise than they stand: where they start, and how it prints them."""

    starts: Positions
    lines: list[bytes]


def _rows_of_a_block(starts: Positions, stops: Positions) -> int:
    return max(1, BLOCK // max(1, int(np.mean(stops - starts)))) if len(starts) else 1


def _reprint(text: Any, data: Any, starts: Positions, stops: Positions, columns: int) -> Reprints | None:
    """Find the rows that do not come out as they stand, and let pandas print them; None if it must print all."""
    found = ColumnKinds(columns)
    size = _rows_of_a_block(starts, stops)
    blocks = [slice(first, min(first + size, len(starts))) for first in range(0, len(starts), size)]

    def kinds_of(block: slice) -> Kinds | None:
        rows = block.stop - block.start
        return _kinds_of_rows(data[starts[block.start] : stops[block.stop - 1] + 1], rows, columns)

    with ThreadPoolExecutor() as pool:  # NumPy lets go of the interpreter for nearly all of this
        kinds_of_blocks = []
        for kinds in pool.map(kinds_of, blocks):
            if kinds is None:
                pool.shutdown(cancel_futures=True)
                return None
            found.add(kinds)
            kinds_of_blocks.append(kinds)
    safe = found.printed_as_they_stand()
    if safe is None:
        return None
    rows = np.flatnonzero(np.concatenate([_odd_rows(kinds, safe) for kinds in kinds_of_blocks]))
    if len(rows) > MOST_REPRINTED * len(starts):
        return None
    if not len(rows):
        return Reprints(rows, [])
    lines = b"\n".join([text[starts[row] : stops[row]] for row in rows])
    frame = read_csv(io.BytesIO(lines), header=None, dtype=dict(enumerate(found.types())))
    printed = frame.to_csv(index=False, header=False, lineterminator="\n").encode().split(b"\n")
    return Reprints(starts[rows], printed[: len(rows)])


def _kinds_of_rows(part: Any, rows: int, columns: int) -> Kinds | None:
    """Return the kinds of all cells of some whole rows; None if they are ragged or no UTF-8 text."""
    if (part > LAST_OF_ASCII).any():
        try:
            bytes(part).decode()
        except UnicodeDecodeError:
            return None
    separators = np.flatnonzero((part == COMMA) | (part == NEWLINE))
    if len(separators) != rows * columns:
        return None
    ends = separators.reshape(rows, columns)
    if (part[ends[:, -1]] != NEWLINE).any() or (part[ends[:, :-1]] != COMMA).any():
        return None
    return kinds_of_rows(part, ends)


def _odd_rows(kinds: Any, safe: list[set[Any]]) -> Any:
    odd = np.zeros(len(kinds), dtype=bool)
    if is_uniform(kinds) and all(kinds[0, 0] in fine for fine in safe):
        return odd
    for column, fine in enumerate(safe):
        odd |= ~np.isin(kinds[:, column], [int(kind) for kind in fine])
    return odd
