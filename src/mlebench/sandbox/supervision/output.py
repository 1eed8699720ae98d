"""The log of a job: its standard output and error, up to a limit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

_CHUNK_BYTES = 65536


class Output:
    """Writes the output of a job to a file; bytes beyond the limit are counted and dropped.

    Parameters
    ----------
    path : Path
        The log file.
    limit : int
        Bytes to keep.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self.limit = limit
        self.kept = 0
        """Bytes written to the file."""
        self.dropped = 0
        """Bytes beyond the limit."""
        self.source, self.sink = os.pipe()
        os.set_blocking(self.source, False)
        self._path = path
        self._file = path.open("wb", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.source)
        self.close_sink()
        self._file.close()

    def close_sink(self) -> None:
        """Close the harness's copy of the writing end, once the job has its own."""
        if self.sink >= 0:
            os.close(self.sink)
            self.sink = -1

    def read(self) -> bool:
        """Read a chunk of what has arrived; return whether more may come."""
        try:
            data = os.read(self.source, _CHUNK_BYTES)
        except BlockingIOError:
            return True
        room = self.limit - self.kept
        if room > 0 and data:
            self._file.write(data[:room])
            self.kept += min(room, len(data))
        self.dropped += max(0, len(data) - room)
        return bool(data)

    def finish(self) -> None:
        """Read the rest after the end of the job, and note in the file if bytes were dropped."""
        before = -1
        while before != self.kept + self.dropped:
            before = self.kept + self.dropped
            self.read()
        if self.dropped:
            line = f"[mlebench] {self.dropped} more bytes were dropped; the log is limited to {self.limit}."
            self._file.write(f"\n{line}\n".encode())

    def tail(self, size: int = 2000) -> str:
        """Return the last bytes that were kept, as text."""
        with self._path.open("rb") as file:
            file.seek(max(0, self.kept - size))
            return file.read(size).decode(errors="replace").strip()
