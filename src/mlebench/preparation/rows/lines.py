"""The lines of a CSV file as rows: split and written as bytes, without a data frame of all cells."""

from __future__ import annotations

import io
import mmap
import re
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.ground.tables import read_csv
from mlebench.preparation.rows import scan
from mlebench.preparation.rows.cells import Kind, kinds_found, kinds_of_rows, rows_with_others, unchanged_kinds
from mlebench.preparation.rows.gather import gather
from mlebench.preparation.rows.numbers import printed_as_float
from mlebench.preparation.rows.scan import NEWLINE, ends_of_cells, scan_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pandas as pd

    from mlebench.preparation.rows.cells import Flags, Kinds, Positions

BLANK_LINE = re.compile(rb"\n[ \t]*\n")


class LineRows:
    """Rows of a file that pandas would print unchanged, except for some cells of odd rows."""

    def __init__(
        self, text: Any, columns: list[str], safe: Kinds, starts: Positions, stops: Positions, odd: Flags
    ) -> None:
        self.columns = columns
        self._text = text
        self._safe = safe
        """The kinds of cells that pandas prints unchanged, for each column."""
        self._starts = starts
        self._stops = stops
        self._odd = odd
        """Whether a row has cells of other kinds."""

    @classmethod
    def read(cls, path: Path) -> LineRows | None:
        """Return the lines of a file, or None where only pandas knows how it prints them."""
        with path.open("rb") as file:
            try:
                text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError:  # an empty file
                return None
        if any(text.find(character) >= 0 for character in (b'"', b"\r", b"\0")) or text[:3] == b"\xef\xbb\xbf":
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
        if len(columns) == 1 and BLANK_LINE.search(text):  # pandas skips it
            return None
        blocks = scan_lines(text, head, len(columns))
        if blocks is None:
            return None
        safe = unchanged_kinds(reduce(np.bitwise_or, (kinds_found(block.kinds) for block in blocks)))
        if safe is None:
            return None
        stops = np.concatenate([block.stops for block in blocks])
        starts = np.concatenate([[head], stops[:-1] + 1])
        odd = np.concatenate([rows_with_others(block.kinds, safe) for block in blocks])
        return cls(text, columns, safe, starts, stops, odd)

    def __len__(self) -> int:
        return len(self._starts)

    def take(self, positions: Positions) -> LineRows:
        starts, stops, odd = self._starts[positions], self._stops[positions], self._odd[positions]
        return LineRows(self._text, self.columns, self._safe, starts, stops, odd)

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
                if kept.sum() == 1:  # pandas would skip a blank line
                    cells = b"".join([line if line != b"\n" else b'""\n' for line in bytes(cells).splitlines(True)])
                file.write(cells)

    def _blocks(self) -> Iterator[bytes]:
        """Yield the text of all rows, some complete lines at a time."""
        size = max(1, scan.BLOCK // max(1, int(np.mean(self._stops - self._starts)))) if len(self) else 1
        for first in range(0, len(self), size):
            rows = slice(first, first + size)
            starts, stops, odd = self._starts[rows], self._stops[rows] + 1, self._odd[rows]
            text = gather(self._text, starts, stops)
            yield self._reprint(text, stops - starts, odd) if odd.any() else text

    def _reprint(self, text: bytes, lengths: Positions, odd: Flags) -> bytes:
        """Return complete lines of these lengths with the cells of odd rows as pandas prints them."""
        ends = np.cumsum(lengths)
        lines = gather(text, (ends - lengths)[odd], ends[odd])
        characters = np.frombuffer(lines, np.uint8)
        stops = ends_of_cells(characters).reshape(-1, len(self.columns))
        starts = np.concatenate([[0], stops.ravel()[:-1] + 1]).reshape(stops.shape)
        kinds = kinds_of_rows(characters, stops)
        cells = np.nonzero(kinds & ~self._safe)
        moved = (ends[odd] - np.cumsum(lengths[odd]))[cells[0]]  # distance of a cell from its place in `lines`
        places = zip((starts[cells] + moved).tolist(), (stops[cells] + moved).tolist(), strict=True)
        pieces, position = [], 0
        for (start, stop), kind in zip(places, kinds[cells].tolist(), strict=True):
            pieces += [text[position:start], b"" if kind == Kind.MISSING else printed_as_float(text[start:stop])]
            position = stop
        return b"".join([*pieces, text[position:]])


def _keep_columns(text: bytes, kept: Any) -> bytes:
    """Return complete lines with the kept columns alone."""
    characters = np.frombuffer(bytearray(text), dtype=np.uint8)
    ends = ends_of_cells(characters)
    characters[ends.reshape(-1, len(kept))[:, np.flatnonzero(kept)[-1]]] = NEWLINE
    wanted = np.repeat(np.tile(kept, len(ends) // len(kept)), np.diff(ends, prepend=-1))
    return bytes(characters[wanted])
