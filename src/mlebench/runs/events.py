"""The log of a run: what crossed the border of the sandbox, appended and hash-chained.

Each line of `events.jsonl` is a JSON object with `number`, `time` (UTC), `kind`, the facts, and `chain`: the
SHA-256 of the previous line's chain and of this line without its own. A line that was changed, left out or
added breaks the chain from there on.
"""

from __future__ import annotations

import hashlib
import json
import threading
from typing import TYPE_CHECKING, Any, Self

from mlebench.reports import now

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

START = "0" * 64


class EventLog:
    """Appends events to a file; may be used from several threads. Call it like an event sink."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._number = 0
        self._chain = START

    def __enter__(self) -> Self:
        self._file = self.path.open("x", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._file.close()

    def __call__(self, kind: str, /, **facts: object) -> None:
        with self._lock:
            if self._file.closed:
                return  # a late answer to a job that is gone
            event: dict[str, Any] = {"number": self._number, "time": now().isoformat(), "kind": kind, **facts}
            self._chain = link(self._chain, event)
            self._file.write(json.dumps({**event, "chain": self._chain}, default=str) + "\n")
            self._file.flush()
            self._number += 1


def link(previous: str, event: dict[str, Any]) -> str:
    """Return the chain value of an event after the one before it."""
    content = json.dumps(event, sort_keys=True, default=str)
    return hashlib.sha256(f"{previous}\n{content}".encode()).hexdigest()


def read_events(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a log; a last line that was cut off by a crash is left out."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                yield json.loads(line)


def first_broken_event(path: Path) -> int | None:
    """Return the number of the first event whose chain does not hold, or None if all do."""
    chain = START
    for number, event in enumerate(read_events(path)):
        recorded = event.pop("chain", None)
        chain = link(chain, event)
        if recorded != chain or event.get("number") != number:
            return number
    return None
