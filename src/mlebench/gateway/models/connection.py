"""HTTP/1.1 on one connection from a sandbox, with limits on sizes and times.

The h11 library parses and writes the protocol. It refuses requests with two lengths, with a length and chunks, and
bytes that are not HTTP. One read of up to 64 KiB may run while a response is sent; its bytes belong to the next
request. If it reaches the end of the input, the client has disconnected: the forwarder inside a sandbox shuts down its
side when the agent closes the connection.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.errors import ClientDisconnectedError, GatewayError
from mlebench.ground.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_HEADER_BYTES = 64 * 1024
MAX_BODY_BYTES = 32 * 1024**2
KEEP_ALIVE_SECONDS = 120.0
"""How long a connection may stay open between requests."""
HEADER_TIMEOUT_SECONDS = 30.0
MIN_BODY_BYTES_PER_SECOND = 1024**2
"""Rate at which a client must send a body, after the idle time."""
WRITE_TIMEOUT_SECONDS = 300.0
"""How long a client may take to read what was sent."""
_READ_BYTES = 65536


@dataclass(frozen=True, slots=True)
class Request:
    """The head of a request; its body is read separately."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    """Header names are in lower case."""


class HttpConnection:
    """One client's connection: requests in sequence, and a response to each.

    Parameters
    ----------
    reader, writer : asyncio.StreamReader, asyncio.StreamWriter
        The open connection.
    idle_seconds : float
        How long a client may send nothing while it sends a request.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, idle_seconds: float) -> None:
        self._h11 = import_h11()
        self._reader = reader
        self._writer = writer
        self._idle_seconds = idle_seconds
        self._http = self._h11.Connection(self._h11.SERVER, max_incomplete_event_size=MAX_HEADER_BYTES)
        self._pending_read: asyncio.Task[bytes] | None = None
        self._is_head = False

    async def next_request(self) -> Request | None:
        """Wait for a request; return None at the end of the connection. Raise GatewayError if it is invalid."""
        if self._http.our_state is self._h11.DONE and self._http.their_state is self._h11.DONE:
            self._http.start_next_cycle()
            self._is_head = False
        if self._http.our_state is not self._h11.IDLE or self._http.their_state is not self._h11.IDLE:
            return None
        if not self._http.trailing_data[0]:
            with suppress(TimeoutError):
                await self._wait_for_more(KEEP_ALIVE_SECONDS)
            if self._pending_read is None or not self._pending_read.done():
                return None
        event = await self._next_event(time.monotonic() + min(HEADER_TIMEOUT_SECONDS, self._idle_seconds))
        if not isinstance(event, self._h11.Request):
            return None
        self._is_head = event.method == b"HEAD"
        headers = {name.decode("ascii"): value.decode("latin-1") for name, value in event.headers}
        if sum(len(name) + len(value) for name, value in event.headers) + len(event.target) > MAX_HEADER_BYTES:
            raise GatewayError(431, f"The request header is too large. The limit is {MAX_HEADER_BYTES} bytes.")
        if "content-length" in headers and "transfer-encoding" in headers:
            raise GatewayError(400, "A request may have a Content-Length or a Transfer-Encoding, not both.")
        path, _, query = event.target.decode("ascii", "replace").partition("?")
        return Request(event.method.decode("ascii"), path, query, headers)

    async def read_body(self, count_bytes: Callable[[int], None]) -> bytes:
        """Return the whole body of the current request.

        Parameters
        ----------
        count_bytes : callable
            Called with the size of each piece when it arrives. It may raise GatewayError to refuse the body.

        Raises
        ------
        GatewayError
            If the body is too large, too slow or not valid HTTP.
        ClientDisconnectedError
            If the client is gone.
        """
        length = 0
        pieces = []
        start = time.monotonic()
        if self._http.they_are_waiting_for_100_continue:
            await self._send(self._h11.InformationalResponse(status_code=100, headers=[], reason="Continue"))
        while True:
            event = await self._next_event(start + self._idle_seconds + length / MIN_BODY_BYTES_PER_SECOND)
            if isinstance(event, self._h11.Data):
                length += len(event.data)
                if length > MAX_BODY_BYTES:
                    raise GatewayError(413, f"The body is too large. The limit is {MAX_BODY_BYTES} bytes.")
                count_bytes(len(event.data))
                pieces.append(bytes(event.data))
            elif isinstance(event, self._h11.EndOfMessage):
                return b"".join(pieces)
            else:
                raise ClientDisconnectedError

    async def wait_disconnected(self) -> None:
        """Return when the client disconnects; never return once it has sent more bytes instead."""
        if self._pending_read is None:
            self._pending_read = asyncio.create_task(self._reader.read(_READ_BYTES))
        with suppress(OSError):
            if await asyncio.shield(self._pending_read):
                await asyncio.Event().wait()

    async def start_response(self, status: int, headers: Iterable[tuple[str, str]], length: int | None) -> None:
        """Send the head of a response.

        Parameters
        ----------
        status : int
            The HTTP status.
        headers : iterable of (name, value)
            Headers, without those that frame the body.
        length : int or None
            The length of the body in bytes; None sends it in chunks.
        """
        framing = ("transfer-encoding", "chunked") if length is None else ("content-length", str(length))
        sent = [*headers, framing]
        # The rest of a body that was not read would be parsed as the next request.
        if self._http.their_state in (self._h11.SEND_BODY, self._h11.ERROR):
            sent.append(("connection", "close"))
        await self._send(self._h11.Response(status_code=status, headers=sent, reason=""))

    async def send_body(self, data: bytes) -> None:
        """Send a piece of the response's body; responses to HEAD have none."""
        if data and not self._is_head:
            await self._send(self._h11.Data(data=data))

    async def end_response(self) -> None:
        """Send the end of the response."""
        await self._send(self._h11.EndOfMessage())

    @property
    def is_responding(self) -> bool:
        """Whether a response to the current request has begun."""
        return self._http.our_state not in (self._h11.IDLE, self._h11.SEND_RESPONSE)

    def abort(self) -> None:
        """Disconnect the client at once: what was not sent yet is lost, and sending raises ClientDisconnectedError."""
        self._writer.transport.abort()

    async def close(self, *, abort: bool = False) -> None:
        """Close the connection; unless `abort` is set, discard for two seconds what the client still sends.

        Many clients read the response only after they have sent the whole request, and lose it if the connection is
        reset.
        """
        if self._pending_read is not None:
            self._pending_read.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await self._pending_read
        if not abort and self._http.their_state is not self._h11.DONE and self._writer.can_write_eof():
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(2):
                    self._writer.write_eof()
                    while await self._reader.read(_READ_BYTES):
                        pass
        self._writer.close()

    async def _send(self, event: Any) -> None:
        data = self._http.send(event)
        if not data:
            return
        if self._writer.is_closing():
            raise ClientDisconnectedError
        self._writer.write(data)
        try:
            async with asyncio.timeout(WRITE_TIMEOUT_SECONDS):
                await self._writer.drain()
        except (OSError, TimeoutError):
            raise ClientDisconnectedError from None

    async def _next_event(self, deadline: float) -> Any:
        while True:
            try:
                event = self._http.next_event()
            except self._h11.RemoteProtocolError as error:
                status = error.error_status_hint
                raise GatewayError(status, f"This is not a valid HTTP request: {str(error)[:200]}.") from None
            if event is not self._h11.NEED_DATA:
                return event
            try:
                await self._wait_for_more(deadline - time.monotonic())
                data = await self._received_data()
            except TimeoutError:
                raise GatewayError(408, "The request was sent too slowly.") from None
            self._http.receive_data(data)

    async def _wait_for_more(self, seconds: float) -> None:
        if self._pending_read is None:
            self._pending_read = asyncio.create_task(self._reader.read(_READ_BYTES))
        async with asyncio.timeout(seconds):
            with suppress(OSError):
                await asyncio.shield(self._pending_read)

    async def _received_data(self) -> bytes:
        pending_read, self._pending_read = self._pending_read, None
        try:
            return await pending_read if pending_read is not None else b""
        except OSError:
            raise ClientDisconnectedError from None


def import_h11() -> Any:
    """Return the HTTP protocol library; raise MissingExtraError if it is not installed."""
    require("models")
    import h11

    return h11
