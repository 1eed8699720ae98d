"""Large CSV tables whose rows are moved as they are: read, split and written without a frame of all cells."""

from __future__ import annotations

import io
import mmap
import re
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from mlebench.ground.tables import read_csv, write_csv
from mlebench.preparation.cells import Kind, kinds_as_they_stand, kinds_found, kinds_of_rows, rows_with_others
from mlebench.preparation.floats import may_round, read_csv_by_digits
from mlebench.preparation.gather import gather
from mlebench.preparation.numbers import is_number, printed_as_float

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pandas as pd

    from mlebench.preparation.cells import Bytes, Flags, Kinds, Positions

BLOCK = 2**19
"""Bytes that are looked at, or written, at a time: few enough to stay near the processor."""
BLANK_LINE = re.compile(rb"\n[ \t]*\n")
NEWLINE, COMMA, LAST_OF_ASCII = ord("\n"), ord(","), 127
MISSING = int(Kind.MISSING)


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


def read_rows(path: Path, *, by_digits: bool = False) -> Rows:
    """Read a CSV file for splitting: as lines where those come out as they stand, else as a frame.

    With `by_digits`, floats are those of `read_csv_by_digits`.
    """
    if by_digits and may_round(path):
        return FrameRows(read_csv_by_digits(path))
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
    """Rows of a file whose cells come out of pandas as they stand, but for some cells of some odd rows."""

    def __init__(
        self, text: Any, columns: list[str], safe: Kinds, starts: Positions, stops: Positions, odd: Flags
    ) -> None:
        self.columns = columns
        self._text = text
        self._safe = safe
        """The kinds of cells of each column that come out as they stand."""
        self._starts = starts
        self._stops = stops
        self._odd = odd
        """Which rows have cells of other kinds."""

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
        head = text.find(b"\n") + 1
        if head in (0, len(text)) or text[-1] != NEWLINE:
            return None
        try:
            columns = text[: head - 1].decode().split(",")
        except UnicodeDecodeError:
            return None
        if len(set(columns)) < len(columns) or not all(map(str.strip, columns)):
            return None
        if len(columns) == 1 and BLANK_LINE.search(text):  # which is no row
            return None
        blocks = _look_at_blocks(text, head, len(columns))
        if blocks is None:
            return None
        safe = kinds_as_they_stand(reduce(np.bitwise_or, (kinds_found(block.kinds) for block in blocks)))
        if safe is None:
            return None
        stops = np.concatenate([block.stops for block in blocks])
        starts = np.concatenate([[head], stops[:-1] + 1])
        odd = np.concatenate([rows_with_others(block.kinds, safe) for block in blocks])
        return cls(text, columns, safe, starts, stops, odd)

    def __len__(self) -> int:
        return len(self._starts)

    def take(self, positions: Positions) -> Lines:
        starts, stops, odd = self._starts[positions], self._stops[positions], self._odd[positions]
        return Lines(self._text, self.columns, self._safe, starts, stops, odd)

    def frame(self, columns: Sequence[str]) -> pd.DataFrame:
        text = b"".join([",".join(self.columns).encode(), b"\n", *self._blocks()])
        return read_csv(io.BytesIO(text), usecols=list(columns))[list(columns)]

    def write(self, path: Path, drop: Sequence[str] = ()) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = np.array([name not in drop for name in self.columns])
        with path.open("wb") as file:
            file.write(",".join(name for name in self.columns if name not in drop).encode() + b"\n")
            for text in self._blocks():
                cells = text if kept.all() else _keep_columns(text, kept)
                if kept.sum() == 1:  # a blank line would be no row
                    cells = b"".join([line if line != b"\n" else b'""\n' for line in bytes(cells).splitlines(True)])
                file.write(cells)

    def _blocks(self) -> Iterator[bytes]:
        """Yield the text of all rows, a number of whole lines at a time."""
        size = max(1, BLOCK // max(1, int(np.mean(self._stops - self._starts)))) if len(self) else 1
        for first in range(0, len(self), size):
            rows = slice(first, first + size)
            starts, stops, odd = self._starts[rows], self._stops[rows] + 1, self._odd[rows]
            text = gather(self._text, starts, stops)
            yield self._reprint(text, stops - starts, odd) if odd.any() else text

    def _reprint(self, text: bytes, lengths: Positions, odd: Flags) -> bytes:
        """Return whole lines of these lengths with the cells of odd rows printed as pandas does."""
        ends = np.cumsum(lengths)
        lines = gather(text, (ends - lengths)[odd], ends[odd])
        signs = np.frombuffer(lines, np.uint8)
        stops = _ends_of_cells(signs).reshape(-1, len(self.columns))
        starts = np.concatenate([[0], stops.ravel()[:-1] + 1]).reshape(stops.shape)
        kinds = kinds_of_rows(signs, stops)
        cells = np.nonzero(kinds & ~self._safe)
        moved = (ends[odd] - np.cumsum(lengths[odd]))[cells[0]]  # how far behind its place in `lines` a cell stands
        places = zip((starts[cells] + moved).tolist(), (stops[cells] + moved).tolist(), strict=True)
        pieces, position = [], 0
        for (start, stop), kind in zip(places, kinds[cells].tolist(), strict=True):
            pieces += [text[position:start], b"" if kind == MISSING else printed_as_float(text[start:stop])]
            position = stop
        return b"".join([*pieces, text[position:]])


def _keep_columns(text: bytes, kept: Any) -> bytes:
    """Return whole lines without the columns that are not kept."""
    signs = np.frombuffer(bytearray(text), dtype=np.uint8)
    ends = _ends_of_cells(signs)
    signs[ends.reshape(-1, len(kept))[:, np.flatnonzero(kept)[-1]]] = NEWLINE
    wanted = np.repeat(np.tile(kept, len(ends) // len(kept)), np.diff(ends, prepend=-1))
    return bytes(signs[wanted])


class Block(NamedTuple):
    """Some whole lines: where they end, and the kinds of their cells."""

    stops: Positions
    kinds: Kinds


def _look_at_blocks(text: Any, head: int, columns: int) -> list[Block] | None:
    """Return what is to be known of all lines behind the header; None if only pandas can tell."""
    data = np.frombuffer(text, dtype=np.uint8)
    blocks = []
    with ThreadPoolExecutor() as pool:  # NumPy lets go of the interpreter for nearly all of this
        places = list(_blocks_of_lines(text, head))
        for block in pool.map(lambda place: _look_at(data, place, columns), places):
            if block is None:
                pool.shutdown(cancel_futures=True)
                return None
            blocks.append(block)
    return blocks


def _blocks_of_lines(text: Any, first: int) -> Iterator[slice]:
    while first < len(text):
        stop = (text.rfind(b"\n", first, first + BLOCK) + 1) or (text.find(b"\n", first) + 1)
        yield slice(first, stop)
        first = stop


def _look_at(text: Bytes, place: slice, columns: int) -> Block | None:
    """Return what is to be known of whole lines; None if they are ragged, no UTF-8, or hold what may be no number."""
    part = text[place]
    if (part > LAST_OF_ASCII).any():
        try:
            bytes(part).decode()
        except UnicodeDecodeError:
            return None
    ends = _ends_of_cells(part)
    if len(ends) % columns:
        return None
    ends = ends.reshape(-1, columns)
    if np.count_nonzero(part == NEWLINE) != len(ends) or not (part[ends[:, -1]] == NEWLINE).all():
        return None
    kinds = kinds_of_rows(part, ends)
    return Block(place.start + ends[:, -1], kinds) if _are_numbers(part, ends, kinds) else None


def _ends_of_cells(lines: Bytes) -> Positions:
    return np.flatnonzero((lines == NEWLINE) | (lines == COMMA))


def _are_numbers(lines: Bytes, ends: Positions, kinds: Kinds) -> bool:
    """Say whether all that looks like an odd number is one."""
    odd = np.flatnonzero(kinds == Kind.ODD_NUMBER)
    if not len(odd):
        return True
    text, bounds = lines.tobytes(), np.concatenate([[-1], ends.ravel()])
    places = zip((bounds[odd] + 1).tolist(), bounds[odd + 1].tolist(), strict=True)
    return all(is_number(text, start, stop) for start, stop in places)
