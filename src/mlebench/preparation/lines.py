"""Large CSV tables whose rows are moved as they are: read, split and written without a frame of all cells."""

from __future__ import annotations

import io
import mmap
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from mlebench.preparation.cells import ColumnKinds, Kind, is_uniform, kinds_of_rows
from mlebench.preparation.floats import may_round, read_csv_by_digits
from mlebench.preparation.gather import gather
from mlebench.tables import read_csv, write_csv

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pandas as pd

    from mlebench.preparation.cells import Kinds

    Positions = np.ndarray[Any, np.dtype[np.int64]]

BLOCK = 1024**2
"""Bytes that are looked at, or written, at a time: few enough to stay near the processor."""
ROWS_PARSED = 2**16
"""Rows with odd numbers that are tried at a time."""
UNLIKE_FLOATS = re.compile(rb"(?:^|[,\n])[ \t]*(?:[+-]?\d{19}\d*|-0+)[ \t]*(?:[,\n]|$)")
"""Whole numbers of which pandas makes text, or 0 without its sign, where they come before all decimals."""
NEWLINE, COMMA, LAST_OF_ASCII = ord("\n"), ord(","), 127


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
        head = text.find(b"\n") + 1
        if head in (0, len(text)) or text[-1] != NEWLINE:
            return None
        try:
            columns = text[: head - 1].decode().split(",")
        except UnicodeDecodeError:
            return None
        if len(set(columns)) < len(columns) or not all(columns):
            return None
        looked_at = _look_at_cells(text, head, len(columns))
        if looked_at is None:
            return None
        stops, kinds = looked_at
        starts = np.concatenate([[head], stops[:-1] + 1])
        if (stops == starts).any():
            return None
        reprints = _reprint(text, starts, stops, kinds)
        return None if reprints is None else cls(text, columns, starts, stops, reprints)

    def __len__(self) -> int:
        return len(self._starts)

    def take(self, positions: Positions) -> Lines:
        return Lines(self._text, self.columns, self._starts[positions], self._stops[positions], self._reprints)

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
            starts, stops = self._starts[first : first + size], self._stops[first : first + size] + 1
            text = gather(self._text, starts, stops)
            yield self._reprints.replace(text, starts, stops) if len(self._reprints.starts) else text


class Reprints(NamedTuple):
    """The rows that pandas prints otherwise than they stand: where they start, and the type of each column."""

    starts: Positions
    types: dict[int, str]

    def replace(self, text: bytes, starts: Positions, stops: Positions) -> bytes:
        """Return a text of lines with such rows printed by pandas, given where the lines stood before."""
        where = np.minimum(np.searchsorted(self.starts, starts), len(self.starts) - 1)
        rows = np.flatnonzero(self.starts[where] == starts)
        if not len(rows):
            return text
        ends = np.cumsum(stops - starts)[rows].tolist()
        begins = [end - length for end, length in zip(ends, (stops - starts)[rows].tolist(), strict=True)]
        pieces, position = [], 0
        for begin, end, line in zip(begins, ends, self._printed(text, begins, ends), strict=True):
            pieces += [text[position:begin], line, b"\n"]
            position = end
        return b"".join([*pieces, text[position:]])

    def _printed(self, text: bytes, begins: list[int], ends: list[int]) -> list[bytes]:
        lines = b"".join([text[begin:end] for begin, end in zip(begins, ends, strict=True)])
        frame = read_csv(io.BytesIO(lines), header=None, dtype=self.types)
        printed = frame.to_csv(index=False, header=False, lineterminator="\n").encode()
        return printed.split(b"\n")[: len(begins)]


def _keep_columns(text: bytes, kept: Any) -> bytes:
    """Return whole lines without the columns that are not kept."""
    signs = np.frombuffer(bytearray(text), dtype=np.uint8)
    ends = np.flatnonzero((signs == COMMA) | (signs == NEWLINE))
    signs[ends.reshape(-1, len(kept))[:, np.flatnonzero(kept)[-1]]] = NEWLINE
    wanted = np.repeat(np.tile(kept, len(ends) // len(kept)), np.diff(ends, prepend=-1))
    return bytes(signs[wanted])


def _look_at_cells(text: Any, head: int, columns: int) -> tuple[Positions, list[Kinds]] | None:
    """Return where the lines end, and the kinds of all cells in blocks; None if rows are ragged or no UTF-8 text."""
    data = np.frombuffer(text, dtype=np.uint8)
    stops, kinds = [], []
    blocks = list(_blocks_of_lines(text, head))
    with ThreadPoolExecutor() as pool:  # NumPy lets go of the interpreter for nearly all of this
        kinds_of_blocks = pool.map(lambda block: _kinds_of_rows(data[block], columns), blocks)
        for block, found in zip(blocks, kinds_of_blocks, strict=True):
            if found is None:
                pool.shutdown(cancel_futures=True)
                return None
            stops.append(found[0] + block.start)
            kinds.append(found[1])
    return np.concatenate(stops), kinds


def _blocks_of_lines(text: Any, first: int) -> Iterator[slice]:
    while first < len(text):
        stop = (text.rfind(b"\n", first, first + BLOCK) + 1) or (text.find(b"\n", first) + 1)
        yield slice(first, stop)
        first = stop


def _reprint(text: Any, starts: Positions, stops: Positions, kinds_of_blocks: list[Kinds]) -> Reprints | None:
    """Find the rows that do not come out as they stand; None if only pandas can tell."""
    found = ColumnKinds(kinds_of_blocks[0].shape[1])
    for kinds in kinds_of_blocks:
        found.add(kinds)
    safe = found.printed_as_they_stand()
    if safe is None:
        return None
    types = dict(enumerate(found.types()))
    unclear = np.concatenate([(kinds == Kind.ODD_NUMBER).any(axis=1) for kinds in kinds_of_blocks])
    if not _are_numbers(text, starts[unclear], stops[unclear], types):
        return None
    odd = np.concatenate([_odd_rows(kinds, safe) for kinds in kinds_of_blocks])
    return Reprints(starts[odd], types)


def _are_numbers(text: Any, starts: Positions, stops: Positions, types: dict[int, str]) -> bool:
    """Say whether pandas takes what looks like odd numbers in some rows for numbers at all."""
    for first in range(0, len(starts), ROWS_PARSED):
        places = (bounds[first : first + ROWS_PARSED].tolist() for bounds in (starts, stops))
        lines = b"\n".join([text[start:stop] for start, stop in zip(*places, strict=True)])
        if UNLIKE_FLOATS.search(lines):
            return False
        try:
            read_csv(io.BytesIO(lines), header=None, dtype=types)
        except (ValueError, OverflowError):
            return False
    return True


def _kinds_of_rows(part: Any, columns: int) -> tuple[Positions, Kinds] | None:
    """Return where some whole lines end and the kinds of their cells; None if they are ragged or no UTF-8 text."""
    if (part > LAST_OF_ASCII).any():
        try:
            bytes(part).decode()
        except UnicodeDecodeError:
            return None
    newlines = part == NEWLINE
    separators = np.flatnonzero(newlines | (part == COMMA))
    if len(separators) % columns:
        return None
    ends = separators.reshape(-1, columns)
    if np.count_nonzero(newlines) != len(ends) or not newlines[ends[:, -1]].all():
        return None
    return ends[:, -1], kinds_of_rows(part, ends)


def _odd_rows(kinds: Any, safe: list[set[Any]]) -> Any:
    fine = np.array([[kind in kinds_of_column for kind in Kind] for kinds_of_column in safe])
    columns = np.arange(len(safe))
    if is_uniform(kinds):
        return np.full(len(kinds), not fine[columns, kinds[0]].all())
    return ~fine[columns, kinds].all(axis=1)
