"""Reading a hash chain of events without trust: which lines are as they were written, and in which order.

A chain is a file of events as `events.EventLog` writes it. Nobody who changes, removes or adds a line can keep the
chain, unless all later lines are written again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from mlebench.runs.untrusted import MiB, open_file

if TYPE_CHECKING:
    from pathlib import Path

START = "0" * 64
"""The chain's value before the first event."""
MAX_BYTES = 256 * MiB
"""Of a log."""
MAX_LINE = 32 * MiB
_BULK = frozenset({"check", "model_call", "snapshot", "refused", "warning"})
"""Kinds of events that a run may have thousands of. Their facts are not kept."""


class Link(NamedTuple):
    """One event of a chain."""

    kind: str
    value: str
    """The chain's value after the event."""
    facts: dict[str, Any]
    """Empty for the frequent kinds."""


@dataclass(frozen=True, slots=True)
class Chain:
    """The events of a log up to the first one that was changed."""

    links: tuple[Link, ...]
    broken: int | None
    """Number of the first event that was changed or does not follow the one before."""
    rest: bytes
    """A last line without an end, which a crash may leave."""

    @property
    def head(self) -> str:
        """The chain's value after the last event."""
        return self.links[-1].value if self.links else START

    def after(self, number: int) -> str:
        """Return the chain's value after its first `number` events; empty if it has fewer."""
        if number == 0:
            return START
        return self.links[number - 1].value if 0 < number <= len(self.links) else ""

    def facts(self, kind: str) -> list[dict[str, Any]]:
        """Return the facts of the events of a kind."""
        return [each.facts for each in self.links if each.kind == kind]

    @property
    def is_rest_possible(self) -> bool:
        """Tell whether the last line without an end can be the beginning of the next event."""
        begin = as_line({"number": len(self.links), "time": ""}).encode().removesuffix(b'"}\n')
        if not self.rest.startswith(begin[: len(self.rest)]):
            return False
        try:
            text = self.rest.decode()
            return json.JSONDecoder().raw_decode(text)[1] == len(text)
        except UnicodeDecodeError:
            return False
        except (ValueError, RecursionError):
            return True


def as_line(event: dict[str, Any]) -> str:
    """Return the line of an event; there is only one way to write it."""
    return json.dumps(event) + "\n"


def link(previous: str, event: dict[str, Any]) -> str:
    """Return the chain value of an event, given that of the event before."""
    content = json.dumps(event, sort_keys=True)
    return hashlib.sha256(f"{previous}\n{content}".encode()).hexdigest()


def read_chain(path: Path) -> Chain:
    """Read a log of events.

    Parameters
    ----------
    path
        The log; it may be anything.

    Returns
    -------
    Chain
        The events up to the first one that was changed.

    Raises
    ------
    RunError
        It is missing, too large, or not a regular file.
    """
    links: list[Link] = []
    value = START
    with open_file(path, MAX_BYTES) as file:
        while line := file.readline(MAX_LINE):
            if not line.endswith(b"\n"):
                return Chain(tuple(links), len(links) if len(line) == MAX_LINE else None, line)
            event = _event(line, len(links))
            if event is None or (claimed := event.pop("chain")) != (value := link(value, event)):
                return Chain(tuple(links), len(links), b"")
            kind = event["kind"]
            links.append(Link(kind, claimed, {} if kind in _BULK else event))
    return Chain(tuple(links), None, b"")


def _event(line: bytes, number: int) -> dict[str, Any] | None:
    """Return the event of a line, or None if no log of ours has such a line there."""
    try:
        event = json.loads(line)
        # Another spelling of the same JSON would not change the chain.
        is_ours = isinstance(event, dict) and as_line(event).encode() == line
    except (ValueError, RecursionError):
        return None
    if not is_ours or event.get("number") != number or not isinstance(event.get("kind"), str):
        return None
    return event if isinstance(event.get("chain"), str) and isinstance(event.get("time"), str) else None
