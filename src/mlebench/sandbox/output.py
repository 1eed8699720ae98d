"""The job's log: what it prints, kept up to a limit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path


class Output:
    """Writes what comes out of a pipe to a file; what comes after the limit is counted and dropped."""

    def __init__(self, path: Path, limit: int) -> None:
        self.limit = limit
        self.kept = 0
        self.dropped = 0
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
        """Close the writing end here, once the job holds it."""
        if self.sink >= 0:
            os.close(self.sink)
            self.sink = -1

    def take(self) -> bool:
        """Take a piece of what is there; tell whether more may come."""
        try:
            data = os.read(self.source, 65536)
        except BlockingIOError:
            return True
        room = self.limit - self.kept
        if room > 0 and data:
            self._file.write(data[:room])
            self.kept += min(room, len(data))
        self.dropped += max(0, len(data) - room)
        return bool(data)

    def finish(self) -> None:
        """Take what is left after the job's end, and say so if something was dropped."""
        before = -1
        while before != self.kept + self.dropped:
            before = self.kept + self.dropped
            self.take()
        if self.dropped:
            line = f"[mlebench] {self.dropped} more bytes were dropped; the log is limited to {self.limit}."
            self._file.write(f"\n{line}\n".encode())

    def tail(self, size: int = 2000) -> str:
        """Return the end of what was kept."""
        with self._path.open("rb") as file:
            file.seek(max(0, self.kept - size))
            return file.read(size).decode(errors="replace").strip()
