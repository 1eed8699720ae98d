"""Server-sent events, read from the chunks of a response.

References
----------
HTML Standard, section "Server-sent events": https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BLANK_LINE = re.compile(rb"\n\n|\r\r|\n\r\n|\n\r(?=[^\n])")
"""Two line ends, each of any kind. After `\\n\\r`, the next byte tells whether it belongs to the second one."""


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
        while blank := _BLANK_LINE.search(self._buffer, searched):
            raw = bytes(self._buffer[: blank.end()])
            del self._buffer[: len(raw)]
            searched = 0
            fields = [line.partition(b":") for line in raw.splitlines()]
            values = [value.removeprefix(b" ") for name, _, value in fields if name == b"data"]
            events.append(ServerSentEvent(raw, b"\n".join(values)))
        return events

    def rest(self) -> bytes:
        """Return the bytes after the last complete event."""
        return bytes(self._buffer)
