"""Streaming: pass a response on to the client as it arrives, hold back its end, and read it to its end in any case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.gateway.models.errors import BrokenStreamError, ClientDisconnectedError
from mlebench.gateway.models.event_stream import EventStreamParser
from mlebench.gateway.models.token_counts import TokenCounter

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable

    from mlebench.gateway.models.connection import HttpConnection
    from mlebench.gateway.models.responses import Response


class ResponseRelay:
    """Passes one response on to the client.

    The end of the response (the last event of a stream, the whole of a plain body) is held back until `finish`. So a
    client has a complete response only after the call is charged and logged. Without a client, the response is read
    nevertheless: the provider charges it, and reports its tokens at the end.

    Parameters
    ----------
    connection : HttpConnection
        The client's connection.
    client_gone : asyncio.Event
        Set when the client has disconnected; set here too if sending fails.
    strip_usage : bool
        Whether to remove the usage event of a stream, because the gateway requested it and the client did not.
    on_chunk : callable
        Called with each chunk when it arrives.
    """

    def __init__(
        self,
        connection: HttpConnection,
        client_gone: asyncio.Event,
        *,
        strip_usage: bool,
        on_chunk: Callable[[bytes], object],
    ) -> None:
        self.token_counter = TokenCounter()
        self._connection = connection
        self._client_gone = client_gone
        self._strip_usage = strip_usage
        self._on_chunk = on_chunk
        self._held_back = b""
        self._plain_response: Response | None = None

    async def send(self, response: Response) -> None:
        """Read the response to its end, and send it but for its end.

        Raises
        ------
        BrokenStreamError
            If the response breaks off. What has arrived is sent before.
        """
        if response.stream:
            await self._to_client(self._connection.start_response, response.status, response.headers.items(), None)
            await self._send_stream(response)
            return
        body = b"".join([chunk async for chunk in response.chunks])
        self._on_chunk(body)
        self.token_counter.read_body(body)
        self._held_back, self._plain_response = body, response

    async def finish(self) -> None:
        """Send the rest of the response."""
        if (response := self._plain_response) is not None:
            headers = {"content-type": "application/json"} | response.headers
            await self._connection.start_response(response.status, headers.items(), len(self._held_back))
        await self._connection.send_body(self._held_back)
        await self._connection.end_response()

    async def _send_stream(self, response: Response) -> None:
        parser = EventStreamParser()
        try:
            async for chunk in response.chunks:
                self._on_chunk(chunk)
                kept = b""
                for event in parser.feed(chunk):
                    document = self.token_counter.read_event(event.data)
                    if not (document and document.get("choices") == [] and document.get("usage")):
                        kept += event.raw
                # If nothing is removed, chunks pass as they are, without waiting for the end of an event.
                passed = kept if self._strip_usage else chunk
                if self.token_counter.is_complete:
                    self._held_back += passed
                else:
                    await self._to_client(self._connection.send_body, passed)
        except BrokenStreamError:
            await self._to_client(self._connection.send_body, self._held_back + self._unparsed(parser))
            raise
        self._held_back += self._unparsed(parser)

    async def _to_client(self, send: Callable[..., Awaitable[None]], *arguments: object) -> None:
        if self._client_gone.is_set():
            return
        try:
            await send(*arguments)
        except ClientDisconnectedError:
            self._client_gone.set()

    def _unparsed(self, parser: EventStreamParser) -> bytes:
        return parser.rest() if self._strip_usage else b""
