"""Snapshots: a copy of an agent's submission at each change, kept outside of the sandbox.

    ATTEMPT/snapshots/index.jsonl     one Snapshot on each line, in order of time
    ATTEMPT/snapshots/SHA256.csv      each different content once

They are graded after the run, which gives the score over time. A run that ends badly keeps its last valid submission.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mlebench.errors import RunError
from mlebench.ground.files import NotRegularError, UnwritableError, is_machine_failure, open_regular, write_atomically
from mlebench.runs.record import UsageRecord
from mlebench.runs.untrusted import read_file
from mlebench.sandbox.home import force_open

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.sandbox.base import EventSink

FOLDER = "snapshots"
INDEX = "index.jsonl"
_PARTIAL = ".partial"
_CHUNK = 1024**2
_MAX_INDEX_BYTES = 64 * 1024**2


class Snapshot(BaseModel):
    """A line of the index: one submission that the agent had in place."""

    model_config = ConfigDict(frozen=True)

    seconds: float = Field(ge=0, allow_inf_nan=False)
    """Wall time since the agent was started."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    bytes: int = Field(ge=0)
    usage: UsageRecord | None = None
    """What the run had used of models by then."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How often the submission is copied, and how much is kept."""

    period: float = 1.0
    """Seconds between two checks of the file."""
    patience: float = 60.0
    """Seconds after which a file that changes at each check is copied anyway."""
    file_bytes: int = 1024**3
    """Maximum size of a submission that is copied."""
    total_bytes: int = 8 * 1024**3
    count: int = 500
    """Beyond these two maxima, every second snapshot is dropped, but not the last."""


class Snapshots:
    """Watches a submission file while the context is open; `taken` lists the snapshots."""

    def __init__(
        self,
        watched: Path,
        attempt: Path,
        *,
        events: EventSink,
        usage: Callable[[], UsageRecord | None] = lambda: None,
        bounds: Bounds | None = None,
    ) -> None:
        self.folder = attempt / FOLDER
        self.taken: list[Snapshot] = []
        self._watched = watched
        self._events = events
        self._usage = usage
        self._bounds = bounds or Bounds()
        self._began = time.monotonic()
        self._over = threading.Event()
        self._seen: tuple[int, ...] | None = None
        self._copied: tuple[int, ...] | None = None
        self._changing_since = self._began
        self._is_behind = False
        """Whether this machine failed to copy the file as it was last seen."""
        self._thread = threading.Thread(target=self._watch, name="snapshots", daemon=True)

    def __enter__(self) -> Self:
        self._began = self._changing_since = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._look(final=True)
        if self.taken:
            lines = "".join(snapshot.model_dump_json() + "\n" for snapshot in self.taken)
            write_atomically(self.folder / INDEX, lines)

    @property
    def max_bytes(self) -> int:
        """Maximum size of a submission that is copied."""
        return self._bounds.file_bytes

    def path(self, snapshot: Snapshot) -> Path:
        """Return the file of a snapshot."""
        return self.folder / f"{snapshot.sha256}.csv"

    def _watch(self) -> None:
        while not self._over.wait(self._bounds.period):
            try:
                self._look()
            except OSError as error:
                if not is_machine_failure(error):
                    raise
                self._is_behind = True  # the last look tries again, and raises

    def _look(self, *, final: bool = False) -> None:
        """Copy the file if it has changed and has stopped changing; an OSError is a failure of this machine."""
        try:
            facts = self._facts()
        except OSError as error:
            if is_machine_failure(error):
                raise
            return
        identity = (facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
        now = time.monotonic()
        if identity == self._copied and not (final and self._is_behind):
            return
        settled = identity == self._seen or final
        if self._seen == self._copied:
            self._changing_since = now
        self._seen = identity
        if settled or now - self._changing_since > self._bounds.patience:
            self._copied, self._changing_since = identity, now
            try:
                self._take(now - self._began)
                self._is_behind = False
            except NotRegularError:
                pass
            except OSError as error:
                self._events("snapshot_failed", why=error.strerror or repr(error))
                if is_machine_failure(error):
                    raise

    def _facts(self) -> os.stat_result:
        try:
            return self._watched.lstat()
        except PermissionError:
            os.close(force_open(self._watched.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC))
            return self._watched.lstat()

    def _take(self, seconds: float) -> None:
        with open_regular(self._watched, opener=force_open) as source:
            facts = os.fstat(source.fileno())
            if facts.st_nlink != 1 or facts.st_size > self._bounds.file_bytes:
                return
            size, name = self._copy(source, facts.st_size)
        if self.taken and self.taken[-1].sha256 == name:
            (self.folder / _PARTIAL).unlink()
            return
        (self.folder / _PARTIAL).replace(self.folder / f"{name}.csv")
        snapshot = Snapshot(seconds=round(seconds, 3), sha256=name, bytes=size, usage=self._usage())
        self.taken.append(snapshot)
        self._events("snapshot", **snapshot.model_dump(exclude={"usage"}))
        self._thin_out()

    def _copy(self, source: BinaryIO, size: int) -> tuple[int, str]:
        """Copy at most `size` bytes, even if the file grows; return how many they are, and their digest."""
        partial = self.folder / _PARTIAL
        digest, left = hashlib.sha256(), size
        try:
            self.folder.mkdir(exist_ok=True)
            with partial.open("wb") as target:
                while left and (data := source.read(min(left, _CHUNK))):
                    digest.update(data)
                    target.write(data)
                    left -= len(data)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise UnwritableError(error.errno, error.strerror, str(self.folder)) from error
        return size - left, digest.hexdigest()

    def _thin_out(self) -> None:
        """Drop every second snapshot while there are too many or they are too large."""
        while len(self.taken) > 1 and (self._size() > self._bounds.total_bytes or len(self.taken) > self._bounds.count):
            kept = self.taken[(len(self.taken) - 1) % 2 :: 2]
            dropped = {snapshot.sha256 for snapshot in self.taken} - {snapshot.sha256 for snapshot in kept}
            self._events("snapshots_dropped", dropped=len(self.taken) - len(kept))
            self.taken = kept
            for name in dropped:
                (self.folder / f"{name}.csv").unlink(missing_ok=True)

    def _size(self) -> int:
        return sum({snapshot.sha256: snapshot.bytes for snapshot in self.taken}.values())


def read_snapshots(attempt: Path) -> list[Snapshot]:
    """Return the snapshots of an attempt, in order of time.

    Raises
    ------
    RunError
        The index is damaged.
    """
    index = attempt / FOLDER / INDEX
    if not os.path.lexists(index):
        return []
    try:
        return [Snapshot.model_validate_json(line) for line in read_file(index, _MAX_INDEX_BYTES).splitlines()]
    except (RunError, ValidationError) as error:
        raise RunError(
            f"The list of snapshots {index} is damaged. Restore it, or remove it to do without the run's curve."
        ) from error
