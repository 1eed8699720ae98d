"""The log of a run: what crossed the border of the sandbox, append-only and hash-chained.

Each line of `events.jsonl` is a JSON object with `number`, `time` (UTC), `kind`, the facts of that kind, and `chain`:
the SHA-256 of the previous line's chain and of this line without its chain. A line that is changed, removed or added
breaks the chain from there on. `verify` also notices a log that was cut off at the end, since it knows the last event.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from typing import TYPE_CHECKING, Any, Self

from mlebench.errors import RunError
from mlebench.ground.clock import now

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mlebench.sandbox.base import EventSink

START = "0" * 64
FRAME = frozenset({"number", "time", "kind", "chain"})
"""Fields of every event."""


class EventLog:
    """Appends events to a file; an `EventSink` that may be called from several threads.

    Parameters
    ----------
    path
        The file. A new log must not exist yet.
    resume
        Append to an existing log.
    also
        Another sink that receives the same events.
    """

    def __init__(self, path: Path, *, resume: bool = False, also: EventSink | None = None) -> None:
        self.path = path
        self._resume = resume
        self._also = also
        self._lock = threading.Lock()
        self._number = 0
        self._chain = START

    def __enter__(self) -> Self:
        if self._resume:
            drop_cut_line(self.path)
            for event in read_events(self.path):
                self._number, self._chain = event["number"] + 1, event["chain"]
        self._file = self.path.open("a" if self._resume else "x", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    def __call__(self, kind: str, /, **facts: object) -> None:
        if taken := FRAME & facts.keys():
            raise ValueError(f"Every event has its own {', '.join(sorted(taken))}. Use another name for the fact.")
        with self._lock:
            if self._file.closed:
                return  # a late event of a job that has ended
            event: dict[str, Any] = {"number": self._number, "time": now().isoformat(), "kind": kind, **facts}
            event = json.loads(json.dumps(event, default=str))
            self._chain = link(self._chain, event)
            self._file.write(as_line({**event, "chain": self._chain}))
            self._file.flush()
            self._number += 1
        if self._also:
            self._also(kind, **facts)


def as_line(event: dict[str, Any]) -> str:
    """Return the line of an event; there is only one way to write it."""
    return json.dumps(event) + "\n"


def link(previous: str, event: dict[str, Any]) -> str:
    """Return the chain value of an event, given that of the event before."""
    content = json.dumps(event, sort_keys=True)
    return hashlib.sha256(f"{previous}\n{content}".encode()).hexdigest()


def read_events(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a log, without a last line that a crash has cut off; RunError at a damaged line."""
    for number, line in enumerate(_whole_lines(path)):
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise RunError(f"Event {number} of {path} cannot be read: line {number + 1} is damaged.")
        yield event


def first_broken_event(path: Path) -> int | None:
    """Return the number of the first event that was changed or does not follow the one before, or None."""
    chain = START
    for number, line in enumerate(_whole_lines(path)):
        try:
            event = json.loads(line)
            # Another spelling of the same JSON would not change the chain.
            same = as_line(event).encode() == line
            recorded = event.pop("chain")
            chain = link(chain, event)
        except (ValueError, AttributeError, KeyError, TypeError):
            return number
        if not same or recorded != chain or event.get("number") != number:
            return number
    return None


def drop_cut_line(path: Path) -> None:
    """Remove a last line that a crash has cut off."""
    whole = sum(len(line) for line in _whole_lines(path))
    if whole != path.stat().st_size:
        os.truncate(path, whole)


def _whole_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line
