"""An answer on its way from where it comes from (an upstream or a recording) to the agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

Source = Literal["live", "recording"]

HEADERS = ("content-type", "retry-after", "retry-after-ms", "x-should-retry", "x-request-id", "request-id")
"""What is passed on of an upstream's headers; others name the account, or are between it and the gateway."""


class CutError(Exception):
    """Raised while the chunks of an answer are read: it broke off."""


@dataclass(slots=True)
class Answer:
    """Status, headers and chunks; a plain answer is one chunk, a stream has them as they come."""

    status: int
    headers: dict[str, str]
    chunks: AsyncIterator[bytes]
    stream: bool
    retries: int = 0
    source: Source = "live"


@dataclass(slots=True)
class EventSplitter:
    """Splits a stream of server-sent events; gives each with its bytes and its data."""

    _rest: bytearray = field(default_factory=bytearray)

    def feed(self, chunk: bytes) -> list[tuple[bytes, bytes]]:
        """Take a chunk; return the events that it completes, as (bytes as they came, data)."""
        searched = max(0, len(self._rest) - 3)
        self._rest += chunk
        events = []
        while end := _end_of_event(self._rest, searched):
            raw = bytes(self._rest[:end])
            del self._rest[:end]
            searched = 0
            lines = [line for line in raw.splitlines() if line.startswith(b"data:")]
            events.append((raw, b"\n".join(line[5:].removeprefix(b" ") for line in lines)))
        return events

    def rest(self) -> bytes:
        """Return what came after the last whole event."""
        return bytes(self._rest)


def _end_of_event(data: bytearray, start: int) -> int:
    """Return the index behind the first blank line, or 0."""
    ends = [(found, len(mark)) for mark in (b"\n\n", b"\r\n\r\n", b"\r\r") if (found := data.find(mark, start)) >= 0]
    return sum(min(ends)) if ends else 0
