"""What can be told of a table without understanding it: its digest, size, lines and columns."""

from __future__ import annotations

import csv
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

CHUNK = 1024 * 1024
TABLE_SUFFIXES = frozenset({"csv", "json", "jsonl", "parquet", "bson"})
"""Endings of the files that a record of checksums names."""
THREADS = min(8, os.cpu_count() or 1)
LONGEST_HEADER = 64 * 1024


class FileFacts(BaseModel):
    """A file as it was when it was measured."""

    model_config = ConfigDict(frozen=True)

    md5: str
    bytes: int
    lines: int
    columns: tuple[str, ...] | None = None
    """Names in the first line of a CSV table."""

    def __str__(self) -> str:
        if self.columns is None:
            return f"{self.bytes:,} bytes"
        names = ", ".join(self.columns[:6]) + (" …" if len(self.columns) > 6 else "")
        return f"{self.bytes:,} bytes, {max(0, self.lines - 1):,} rows, {len(self.columns)} columns ({names})"


def measure(path: Path, progress: Callable[[int], None] | None = None) -> FileFacts:
    """Read a file once and return what can be told of it."""
    digest, size, lines, head, last = hashlib.md5(usedforsecurity=False), 0, 0, b"", b"\n"
    buffer = memoryview(bytearray(CHUNK))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(buffer):
            chunk = buffer[:count]
            digest.update(chunk)
            data = bytes(chunk)
            head = head or data[:LONGEST_HEADER]
            size, lines, last = size + count, lines + data.count(b"\n"), data[-1:]
            if progress is not None:
                progress(count)
    columns = _columns(head) if path.suffix == ".csv" and head else None
    return FileFacts(md5=digest.hexdigest(), bytes=size, lines=lines + (last != b"\n"), columns=columns)


def measure_all(paths: Iterable[Path], progress: Callable[[int], None] | None = None) -> dict[Path, FileFacts]:
    """Measure files several at a time; hashing leaves the interpreter to the others."""
    paths = sorted(paths, key=lambda path: -path.stat().st_size)  # the longest first, for they decide how long it takes
    with ThreadPoolExecutor(THREADS) as pool:
        return dict(zip(paths, pool.map(lambda path: measure(path, progress), paths), strict=True))


def tables_of(prepared: Path) -> list[Path]:
    """Return the tables that lie right below `public` and `private`."""
    return [
        path
        for part in ("public", "private")
        if (prepared / part).is_dir()
        for path in sorted((prepared / part).iterdir())
        if path.suffix.lstrip(".") in TABLE_SUFFIXES and path.is_file()
    ]


def _columns(head: bytes) -> tuple[str, ...] | None:
    first = head.decode("utf-8-sig", errors="replace").splitlines()[:1]
    try:
        return tuple(next(csv.reader(first), ()))
    except csv.Error:
        return None
