"""Summaries of files: digest, size, lines and columns."""

from __future__ import annotations

import csv
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from mlebench.ground.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

CHUNK_BYTES = 1024 * 1024
TABLE_SUFFIXES = frozenset({"csv", "json", "jsonl", "parquet", "bson"})
"""Suffixes of the files that a record of checksums names, without the dot."""
THREADS = min(8, os.cpu_count() or 1)
MAX_HEADER_BYTES = 64 * 1024
MAX_COLUMNS = 6
"""Column names that the text of a summary shows."""


class FileSummary(BaseModel):
    """What a file contained when it was read."""

    model_config = ConfigDict(frozen=True)

    md5: str
    bytes: int
    lines: int
    columns: tuple[str, ...] | None = None
    """Names in the first line of a CSV table."""

    def __str__(self) -> str:
        if self.columns is None:
            return f"{self.bytes:,} bytes"
        names = ", ".join(self.columns[:MAX_COLUMNS]) + (" …" if len(self.columns) > MAX_COLUMNS else "")
        rows = count(max(0, self.lines - 1), "row")
        return f"{self.bytes:,} bytes, {rows}, {count(self.columns, 'column')} ({names})"


def summarize(path: Path, progress: Callable[[int], None] | None = None) -> FileSummary:
    """Read a file once and return its summary; `progress` is called with the bytes of each chunk."""
    digest, size, lines, head, last = hashlib.md5(usedforsecurity=False), 0, 0, b"", b"\n"
    buffer = memoryview(bytearray(CHUNK_BYTES))
    with path.open("rb", buffering=0) as file:
        while length := file.readinto(buffer):
            chunk = buffer[:length]
            digest.update(chunk)
            data = bytes(chunk)
            head = head or data[:MAX_HEADER_BYTES]
            size, lines, last = size + length, lines + data.count(b"\n"), data[-1:]
            if progress is not None:
                progress(length)
    columns = _columns(head) if path.suffix == ".csv" and head else None
    return FileSummary(md5=digest.hexdigest(), bytes=size, lines=lines + (last != b"\n"), columns=columns)


def summarize_all(paths: Iterable[Path], progress: Callable[[int], None] | None = None) -> dict[Path, FileSummary]:
    """Summarize files in several threads; hashing releases the interpreter's lock."""
    paths = sorted(paths, key=lambda path: -path.stat().st_size)  # the largest first: it takes longest
    with ThreadPoolExecutor(THREADS) as pool:
        return dict(zip(paths, pool.map(lambda path: summarize(path, progress), paths), strict=True))


def summarize_names(
    folder: Path, names: Iterable[str], progress: Callable[[int], None] | None = None
) -> dict[str, FileSummary]:
    """Summarize files by their paths below a folder."""
    found = summarize_all([folder / name for name in names], progress)
    return {str(path.relative_to(folder)): summary for path, summary in found.items()}


def list_tables(prepared: Path) -> list[Path]:
    """Return the tables directly below `public` and `private`."""
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
