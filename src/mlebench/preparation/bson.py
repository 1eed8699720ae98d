"""BSON files: documents are found by their lengths and copied without decoding them."""

from __future__ import annotations

import hashlib
import mmap
import struct
from array import array
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    Positions = np.ndarray[Any, np.dtype[np.int64]]

DOCUMENT, LIST, BINARY = 0x03, 0x04, 0x05
INT32, INT64 = 0x10, 0x12
BINARY_HEAD = 5
"""Bytes of a binary value before its content: a length and a subtype."""
MIN_DOCUMENT = 5
"""Bytes of an empty document: its length and the closing zero."""
SIZES = {0x01: 8, 0x06: 0, 0x07: 12, 0x08: 1, 0x09: 8, 0x0A: 0, INT32: 4, 0x11: 8, INT64: 8, 0x13: 16, 0x7F: 0, 0xFF: 0}
"""Size in bytes of the values of each kind."""
UNCOUNTED = {0x02: 4, 0x03: 0, 0x04: 0, 0x05: 5, 0x0D: 4, 0x0E: 4, 0x0F: 0}
"""Kinds whose values begin with a length (texts, documents, lists, binary), and the bytes that it does not count."""


class BsonFile:
    """The documents of a BSON file.

    A document is its length (4 bytes, little endian), elements of kind, name and value, and a zero byte. Documents that
    begin with the integers asked for are read twice as fast as others.

    Parameters
    ----------
    path
        The file.
    integers
        Names of integer elements that every document has.

    Attributes
    ----------
    frame : DataFrame
        The integers: a row for each document, a column for each name.

    Raises
    ------
    RawDataError
        The file is missing, empty or cut off, or a document lacks one of the integers.

    References
    ----------
    .. [1] BSON specification, version 1.1, https://bsonspec.org/spec.html
    """

    def __init__(self, path: Path, integers: Sequence[str]) -> None:
        self._name = path.name
        try:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (FileNotFoundError, ValueError):  # an empty file cannot be mapped
            raise RawDataError(f"The raw data lack the file {path.name}, or it is empty.") from None
        self._data.madvise(mmap.MADV_SEQUENTIAL)
        try:
            bounds, columns = self._walk(integers)
        except (IndexError, KeyError, ValueError, struct.error):
            wanted = ", ".join(integers)
            raise RawDataError(f"{path.name} is cut off, or a document of it lacks an integer {wanted}.") from None
        self._bounds = bounds
        self.frame = pd.DataFrame(dict(zip(integers, columns, strict=True)))

    def digests(self, name: str) -> pd.DataFrame:
        """Return a digest of each binary element of a name, such as the pictures of products, at any depth.

        Parameters
        ----------
        name
            Name of the elements.

        Returns
        -------
        DataFrame
            A row for each element: `document`, the number of the document from 0, and `digest`, 64 bits of the SHA-256
            of its content as an integer.

        Raises
        ------
        RawDataError
            A document is damaged.
        """
        documents, digests = array("q"), array("q")
        try:
            for number, start in enumerate(self._bounds[:-1].tolist()):
                for first, stop in self._contents(start, name.encode()):
                    documents.append(number)
                    digest = hashlib.sha256(self._data[first:stop]).digest()
                    digests.append(int.from_bytes(digest[:8], "little", signed=True))
        except (IndexError, KeyError, ValueError, RecursionError):
            raise RawDataError(f"A document of {self._name} is damaged.") from None
        return pd.DataFrame({"document": np.array(documents), "digest": np.array(digests)})

    def write(self, positions: Positions, path: Path, drop: str | None = None) -> None:
        """Write some documents to a new file.

        Parameters
        ----------
        positions
            Numbers of the documents from 0, ascending.
        path
            The new file, whose folder is made.
        drop
            Name of an element to leave out of each document.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file, memoryview(self._data) as data:
            if drop is None:
                breaks = np.flatnonzero(np.diff(positions) != 1) + 1
                for run in np.split(positions, breaks) if len(positions) else []:
                    file.write(data[self._bounds[run[0]] : self._bounds[run[-1] + 1]])
                return
            for position in positions.tolist():
                start, stop = self._bounds[position : position + 2].tolist()
                cuts = [(first, last) for name, _, first, _, last in self._elements(start) if name == drop.encode()]
                length = stop - start - sum(last - first for first, last in cuts)
                file.write(length.to_bytes(4, "little"))
                kept = start + 4
                for first, last in [*cuts, (stop, stop)]:
                    file.write(data[kept:first])
                    kept = last

    def _walk(self, names: Sequence[str]) -> tuple[Positions, list[Positions]]:
        """Return where the documents start, and the last ends, and the numbers of each name."""
        data, end = self._data, len(self._data)
        bounds, columns = array("q", [0]), [array("q") for _ in names]
        keys = tuple(bytes([INT32, *name.encode(), 0]) for name in names)
        usual = struct.Struct("<i" + "".join(f"{len(key)}si" for key in keys))
        position = 0
        while position < end:
            length = int.from_bytes(data[position : position + 4], "little")
            if length < MIN_DOCUMENT or data[position + length - 1]:
                raise ValueError("no document")
            head = usual.unpack_from(data, position) if length >= usual.size else ()
            numbers = head[2::2] if head[1::2] == keys else self._integers(position, names)
            for column, number in zip(columns, numbers, strict=True):
                column.append(number)
            position += length
            bounds.append(position)
        return np.array(bounds), [np.array(column) for column in columns]

    def _integers(self, start: int, names: Sequence[str]) -> list[int]:
        """Return integers by name from the document at `start`, in any order of its elements."""
        found = {
            name: int.from_bytes(self._data[value:stop], "little", signed=True)
            for name, kind, _, value, stop in self._elements(start)
            if kind in (INT32, INT64)
        }
        return [found[name.encode()] for name in names]

    def _contents(self, start: int, wanted: bytes) -> Iterator[tuple[int, int]]:
        """Yield where the contents of the binary elements of a name lie in the document at `start`, at any depth."""
        for name, kind, _, value, stop in self._elements(start):
            if kind in (DOCUMENT, LIST):
                yield from self._contents(value, wanted)
            elif kind == BINARY and name == wanted:
                yield value + BINARY_HEAD, stop

    def _elements(self, start: int) -> Iterator[tuple[bytes, int, int, int, int]]:
        """Yield name and kind of the elements of the document at `start`, and where they and their values lie."""
        data, first = self._data, start + 4
        while kind := data[first]:
            value = data.find(b"\0", first) + 1
            if not value:
                raise ValueError("no name")
            if kind in UNCOUNTED:
                stop = value + UNCOUNTED[kind] + int.from_bytes(data[value : value + 4], "little")
            else:
                stop = value + SIZES[kind]
            yield data[first + 1 : value - 1], kind, first, value, stop
            first = stop
