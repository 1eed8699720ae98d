"""The log of a run: what crossed the border of the sandbox, appended and hash-chained.

Each line of `events.jsonl` is a JSON object with `number`, `time` (UTC), `kind`, the facts, and `chain`: the
SHA-256 of the previous line's chain and of this line without its own. A line that was changed, left out or
added breaks the chain from there on; what was cut off at the end is missed by `verify`, which knows what the
last event has to be.
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
"""What every event has."""


class EventLog:
    """Appends events to a file; may be used from several threads. Call it like an event sink.

    A new log needs a path where nothing is; with `resume`, one that is there goes on. `also` is told the same.
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
            raise ValueError(f"An event says {', '.join(sorted(taken))} by itself; call the fact something else.")
        with self._lock:
            if self._file.closed:
                return  # a late answer to a job that is gone
            event: dict[str, Any] = {"number": self._number, "time": now().isoformat(), "kind": kind, **facts}
            event = json.loads(json.dumps(event, default=str))
            self._chain = link(self._chain, event)
            self._file.write(as_line({**event, "chain": self._chain}))
            self._file.flush()
            self._number += 1
        if self._also:
            self._also(kind, **facts)


def as_line(event: dict[str, Any]) -> str:
    """Return the only way in which an event is written."""
    return json.dumps(event) + "\n"


def link(previous: str, event: dict[str, Any]) -> str:
    """Return the chain value of an event after the one before it."""
    content = json.dumps(event, sort_keys=True)
    return hashlib.sha256(f"{previous}\n{content}".encode()).hexdigest()


def read_events(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a log; a last line that was cut off by a crash is left out.

    Raises RunError at a line that is no event.
    """
    for number, line in enumerate(_whole_lines(path)):
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise RunError(f"Event {number} of {path} cannot be read: line {number + 1} is damaged.")
        yield event


def first_broken_event(path: Path) -> int | None:
    """Return the number of the first event that was changed, or does not follow the one before; None if all hold."""
    chain = START
    for number, line in enumerate(_whole_lines(path)):
        try:
            event = json.loads(line)
            # Spaces and other ways to write the same would not show in the chain.
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
