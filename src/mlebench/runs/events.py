"""The log of a run: what crossed the border of the sandbox, append-only and hash-chained.

Each line of `events.jsonl` is a JSON object with `number`, `time` (UTC), `kind`, the facts of that kind, and `chain`:
the SHA-256 of the previous line's chain and of this line without its chain. A line that is changed, removed or added
breaks the chain from there on (`chain.read_chain`). `verify` also notices a log that was cut off at the end, since it
knows the last event.
"""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from mlebench.errors import RunError
from mlebench.ground.clock import now
from mlebench.ground.files import NotRegularError, UnwritableError, open_regular
from mlebench.runs.chain import START, as_line, link, read_chain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mlebench.sandbox.base import EventSink

FRAME = frozenset({"number", "time", "kind", "chain"})
"""Fields of every event."""
_MAX_LINE = 64 * 1024**2


class EventLog:
    """Appends events to a file; an `EventSink` that may be called from several threads.

    If an event cannot be written, that call, every later one and the end of the context raise the error: a log that
    misses an event must not look complete. What is on disk stays a valid beginning of the log.

    Parameters
    ----------
    path
        The file. A new log must not exist yet.
    resume
        Append to an existing log.
    also
        Another sink that receives the same events.
    durable
        Write each event to the disk before the call returns, so that it survives a loss of power.
    on_failure
        Called once if an event cannot be written: nothing that follows can count.
    """

    def __init__(
        self,
        path: Path,
        *,
        resume: bool = False,
        also: EventSink | None = None,
        durable: bool = False,
        on_failure: Callable[[], None] | None = None,
    ) -> None:
        self.path = path
        self.number = 0
        """Number of events."""
        self.head = START
        """The chain's value after the last event."""
        self._resume = resume
        self._also = also
        self._durable = durable
        self._on_failure = on_failure
        self._lock = threading.Lock()
        self._size = 0
        self._failure: OSError | None = None

    def __enter__(self) -> Self:
        if self._resume:
            chain = read_chain(self.path)
            if chain.broken is not None:
                raise RunError(f"Event {chain.broken} of {self.path} was changed. Run: mlebench verify")
            drop_cut_line(self.path)
            self.number, self.head = len(chain.links), chain.head
        self._file = self.path.open("ab" if self._resume else "xb", buffering=0)
        self._size = self.path.stat().st_size
        return self

    def __exit__(self, error: type[BaseException] | None = None, *_: object) -> None:
        with self._lock, self._file:
            if self._failure is None:
                os.fsync(self._file.fileno())
        if self._failure is not None and error is None:
            raise self._failure

    def __call__(self, kind: str, /, **facts: object) -> None:
        if taken := FRAME & facts.keys():
            raise ValueError(f"Every event has its own {', '.join(sorted(taken))}. Use another name for the fact.")
        with self._lock:
            if self._file.closed:
                return  # a late event of a job that has ended
            if self._failure is not None:
                raise self._failure
            event: dict[str, Any] = {"number": self.number, "time": now().isoformat(), "kind": kind, **facts}
            event = json.loads(json.dumps(event, default=str))
            head = link(self.head, event)
            self._write(as_line({**event, "chain": head}).encode())
            self.number, self.head = self.number + 1, head
        if self._also:
            self._also(kind, **facts)

    def _write(self, line: bytes) -> None:
        """Write a line as a whole, or nothing of it."""
        try:
            left = line
            while left:
                left = left[self._file.write(left) :]
            if self._durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file.fileno(), self._size)
            self._failure = UnwritableError(error.errno, error.strerror, str(self.path))
            if self._on_failure is not None:
                self._on_failure()
            raise self._failure from error
        self._size += len(line)


def read_events(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a log, without a last line that a crash has cut off; RunError at a damaged line."""
    for number, line in enumerate(_whole_lines(path)):
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict):
            raise RunError(f"Event {number} of {path} cannot be read: line {number + 1} is damaged.")
        yield event


def drop_cut_line(path: Path) -> None:
    """Remove a last line that a crash has cut off."""
    whole = sum(len(line) for line in _whole_lines(path))
    if whole != path.stat().st_size:
        os.truncate(path, whole)


def _whole_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a log that end; RunError if it is no file, or has a line that no event has."""
    try:
        file = open_regular(Path(os.path.realpath(path)))  # the folder of a run has a link to the log
    except NotRegularError as error:
        raise RunError(f"The log {path} is {error.kind}. Move it away, and restore the file.") from None
    with file:
        while line := file.readline(_MAX_LINE):
            if line.endswith(b"\n"):
                yield line
            elif len(line) == _MAX_LINE:
                raise RunError(f"The log {path} is damaged: a line is longer than any event.")
