"""The incoming side: HTTP/1.1 on one connection from a sandbox, strict and bounded.

h11 reads and writes the protocol: it refuses two lengths, a length beside chunks, and what is not HTTP at all.
What arrives while an answer is under way is kept for later, within bounds; the end of what arrives is taken as the
client's leaving, since the forwarder inside a sandbox passes on a closed connection as just that.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.protocols import Refusal
from mlebench.ground.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MOST_HEADER_BYTES = 64 * 1024
MOST_BODY_BYTES = 32 * 1024**2
KEPT_ALIVE_SECONDS = 120.0
HEADER_SECONDS = 30.0
SLOWEST_BODY = 1024**2
"""Bytes a second that a client has to manage over a whole body, after the first 30 seconds."""
SLOWEST_READER_SECONDS = 300.0


class HungUpError(Exception):
    """Raised when the client is gone, or takes nothing any more."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it was sent, its body yet to be read; names of headers are in lower case."""

    method: str
    path: str
    query: str
    headers: dict[str, str]


class HttpConnection:
    """One client's connection: requests one after another, an answer to each."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, idle_seconds: float) -> None:
        self._h11 = import_h11()
        self._reader = reader
        self._writer = writer
        self._idle = idle_seconds
        self._http = self._h11.Connection(self._h11.SERVER, max_incomplete_event_size=MOST_HEADER_BYTES)
        self._arriving: asyncio.Task[bytes] | None = None

    async def next_request(self) -> Request | None:
        """Wait for a request; None at the end of the connection. Raise Refusal if it is not one."""
        if self._http.our_state is self._h11.DONE and self._http.their_state is self._h11.DONE:
            self._http.start_next_cycle()
        if self._http.our_state is not self._h11.IDLE or self._http.their_state is not self._h11.IDLE:
            return None
        if not self._http.trailing_data[0]:
            with suppress(TimeoutError):
                await self._wait_for_more(KEPT_ALIVE_SECONDS)
            if self._arriving is None or not self._arriving.done():
                return None
        event = await self._next_event(time.monotonic() + min(HEADER_SECONDS, self._idle))
        if not isinstance(event, self._h11.Request):
            return None
        headers = {name.decode("ascii"): value.decode("latin-1") for name, value in event.headers}
        if sum(len(name) + len(value) for name, value in event.headers) + len(event.target) > MOST_HEADER_BYTES:
            raise Refusal(431, f"The request's header is too large: {MOST_HEADER_BYTES} bytes are allowed.")
        if "content-length" in headers and "transfer-encoding" in headers:
            raise Refusal(400, "A request has a Content-Length or a Transfer-Encoding, not both.")
        path, _, query = event.target.decode("ascii", "replace").partition("?")
        return Request(event.method.decode("ascii"), path, query, headers)

    async def read_body(self, take: Callable[[int], None]) -> bytes:
        """Return the whole body; `take` is told of bytes as they come, and may raise Refusal."""
        length = 0
        pieces = []
        began = time.monotonic()
        if self._http.they_are_waiting_for_100_continue:
            await self._send(self._h11.InformationalResponse(status_code=100, headers=[], reason="Continue"))
        while True:
            event = await self._next_event(began + self._idle + length / SLOWEST_BODY)
            if isinstance(event, self._h11.Data):
                length += len(event.data)
                if length > MOST_BODY_BYTES:
                    raise Refusal(413, f"The body is too large: {MOST_BODY_BYTES} bytes are allowed.")
                take(len(event.data))
                pieces.append(bytes(event.data))
            elif isinstance(event, self._h11.EndOfMessage):
                return b"".join(pieces)
            else:
                raise HungUpError

    async def gone(self) -> None:
        """Return when the client has left; while it only sends more, and after that, never return."""
        if self._arriving is None:
            self._arriving = asyncio.create_task(self._reader.read(65536))
        with suppress(OSError):
            if await asyncio.shield(self._arriving):
                await asyncio.Event().wait()

    async def start(self, status: int, headers: Iterable[tuple[str, str]], length: int | None) -> None:
        """Begin an answer, of known length or in chunks."""
        framing = ("transfer-encoding", "chunked") if length is None else ("content-length", str(length))
        listed = [*headers, framing]
        # A body that was not read would be taken for the next request.
        if self._http.their_state in (self._h11.SEND_BODY, self._h11.ERROR):
            listed.append(("connection", "close"))
        await self._send(self._h11.Response(status_code=status, headers=listed, reason=""))

    async def send(self, data: bytes) -> None:
        if data:
            await self._send(self._h11.Data(data=data))

    async def finish(self) -> None:
        await self._send(self._h11.EndOfMessage())

    @property
    def answering(self) -> bool:
        """Whether an answer has begun."""
        return self._http.our_state not in (self._h11.IDLE, self._h11.SEND_RESPONSE)

    async def close(self, *, abort: bool = False) -> None:
        """Close the connection; unless it is aborted, what the client still sends is read for a moment.

        A client looks for the answer only when it has sent all it has, and loses it if the connection is reset.
        """
        if self._arriving is not None:
            self._arriving.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await self._arriving
        if not abort and self._http.their_state is not self._h11.DONE and self._writer.can_write_eof():
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(2):
                    self._writer.write_eof()
                    while await self._reader.read(65536):
                        pass
        self._writer.close()

    async def _send(self, event: Any) -> None:
        data = self._http.send(event)
        if not data:
            return
        if self._writer.is_closing():
            raise HungUpError
        self._writer.write(data)
        try:
            async with asyncio.timeout(SLOWEST_READER_SECONDS):
                await self._writer.drain()
        except (OSError, TimeoutError):
            raise HungUpError from None

    async def _next_event(self, deadline: float) -> Any:
        while True:
            try:
                event = self._http.next_event()
            except self._h11.RemoteProtocolError as error:
                status = error.error_status_hint
                raise Refusal(status, f"This is not a valid HTTP request: {str(error)[:200]}.") from None
            if event is not self._h11.NEED_DATA:
                return event
            try:
                await self._wait_for_more(deadline - time.monotonic())
                data = await self._take_arrived()
            except TimeoutError:
                raise Refusal(408, "The request came too slowly.") from None
            self._http.receive_data(data)

    async def _wait_for_more(self, seconds: float) -> None:
        if self._arriving is None:
            self._arriving = asyncio.create_task(self._reader.read(65536))
        async with asyncio.timeout(seconds):
            with suppress(OSError):
                await asyncio.shield(self._arriving)

    async def _take_arrived(self) -> bytes:
        arrived, self._arriving = self._arriving, None
        try:
            return await arrived if arrived is not None else b""
        except OSError:
            raise HungUpError from None


def import_h11() -> Any:
    """Return the HTTP protocol library; MissingExtraError tells how to get it."""
    require("models")
    import h11

    return h11
