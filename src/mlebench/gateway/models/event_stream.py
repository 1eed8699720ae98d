"""Server-sent events, read from the chunks of a response.

References
----------
HTML Standard, section "Server-sent events": https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

from typing import NamedTuple

_BLANK_LINES = (b"\n\n", b"\r\n\r\n", b"\r\r")


class ServerSentEvent(NamedTuple):
    """One event of a stream."""

    raw: bytes
    """The bytes of the event as they arrived, with the blank line at its end."""
    data: bytes
    """The content of its `data` lines."""


class EventStreamParser:
    """Splits a stream of server-sent events into events."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """Add a chunk and return the events that it completes."""
        searched = max(0, len(self._buffer) - 3)
        self._buffer += chunk
        events = []
        while end := self._end_of_event(searched):
            raw = bytes(self._buffer[:end])
            del self._buffer[:end]
            searched = 0
            lines = [line for line in raw.splitlines() if line.startswith(b"data:")]
            events.append(ServerSentEvent(raw, b"\n".join(line[5:].removeprefix(b" ") for line in lines)))
        return events

    def rest(self) -> bytes:
        """Return the bytes after the last complete event."""
        return bytes(self._buffer)

    def _end_of_event(self, start: int) -> int:
        """Return the index after the first blank line, or 0 if there is none."""
        ends = [(index, len(mark)) for mark in _BLANK_LINES if (index := self._buffer.find(mark, start)) >= 0]
        return sum(min(ends)) if ends else 0
