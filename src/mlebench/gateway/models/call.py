"""One call of a model: from the body of the agent's request to the response and the record."""

from __future__ import annotations

import asyncio
import ctypes
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from mlebench.gateway.models.accounting import CallState
from mlebench.gateway.models.bodies import BodyCapture
from mlebench.gateway.models.errors import BrokenStreamError, GatewayError
from mlebench.gateway.models.relay import ResponseRelay
from mlebench.gateway.models.requests import prepare_request
from mlebench.gateway.models.responses import copy_chunks
from mlebench.gateway.models.token_counts import TokenCount
from mlebench.gateway.models.usage import TokenUsage

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from mlebench.gateway.models.accounting import Accounting
    from mlebench.gateway.models.config import ModelsConfig
    from mlebench.gateway.models.connection import HttpConnection, Request
    from mlebench.gateway.models.recording import Mode, RunRecording
    from mlebench.gateway.models.requests import UpstreamRequest
    from mlebench.gateway.models.responses import Response
    from mlebench.gateway.models.routes import Route
    from mlebench.gateway.models.upstreams import UpstreamClient

LARGE_BODY_BYTES = 1024**2
"""Bodies of this size or more are parsed in a thread, one at a time, so that other calls continue meanwhile."""


@dataclass(frozen=True)
class RunContext:
    """What the calls of one run share."""

    config: ModelsConfig
    upstreams: UpstreamClient
    mode: Mode
    recording: RunRecording | None
    """None in the mode `live`."""
    accounting: Accounting
    executor: Executor
    """One thread for large bodies."""


class Call:
    """One call. Await `run`, then call `close` in any case, then await `finish` if `run` succeeded."""

    def __init__(self, context: RunContext, route: Route, request: Request, connection: HttpConnection) -> None:
        self._context = context
        self._route = route
        self._client_request = request
        self._connection = connection
        logged_bytes = context.config.logged_bytes
        self._state = CallState(route, BodyCapture(logged_bytes), BodyCapture(logged_bytes))
        self._relay: ResponseRelay

    async def run(self, body: bytes) -> None:
        """Get a response and send it but for its end.

        Raises
        ------
        GatewayError
            If the request is refused, or no upstream responds.
        BrokenStreamError
            If the response breaks off.
        ClientDisconnectedError
            If the client is gone.
        """
        accounting = self._context.accounting
        self._state.request_body.add(body)
        async with AsyncExitStack() as stack:
            try:
                request = self._state.request = await self._prepare(body)
                reservation = accounting.reserve(request)
                await stack.enter_async_context(accounting.budget.admit(reservation))
            except GatewayError:
                self._state.outcome = "refused"
                raise
            self._relay = ResponseRelay(self._connection, strip_usage=request.strip_usage, on_chunk=self._note_chunk)
            try:
                await self._respond(request)
            except GatewayError:
                self._state.outcome = "failed"
                raise
            finally:
                reservation.used = accounting.charge(self._state, request, self._count_tokens(request))

    def interrupt(self, reason: str) -> None:
        """Note why the call ends early, unless it has failed already."""
        self._state.detail = self._state.detail or reason

    def close(self, error: GatewayError | None) -> None:
        """Log the call; `error` is what the client receives instead of a response."""
        if self._state.request_body.size >= LARGE_BODY_BYTES:
            self._context.executor.submit(_release_memory)
        if error is not None:
            self._state.status, self._state.detail = error.status, error.message
            body = error.body(self._route.protocol)
            self._state.response_body = BodyCapture(self._context.config.logged_bytes).add(body)
        self._context.accounting.record(self._state)

    async def finish(self) -> None:
        """Send the end of the response."""
        await self._relay.finish()

    async def _prepare(self, body: bytes) -> UpstreamRequest:
        context = self._context
        if len(body) < LARGE_BODY_BYTES:
            return prepare_request(body, self._client_request, self._route, context.config)
        prepare = partial(prepare_request, body, self._client_request, self._route, context.config)
        return await asyncio.get_running_loop().run_in_executor(context.executor, prepare)

    async def _respond(self, request: UpstreamRequest) -> None:
        """Answer from the recording where the mode says so, else from the upstream."""
        recording, mode = self._context.recording, self._context.mode
        if recording is not None and mode in ("replay", "continue"):
            recorded = recording.next_response(request.key)
            if recorded is not None:
                await self._send(recorded.response())
                return
            if mode == "replay":
                raise GatewayError(
                    404,
                    f"The recording has no further response to this request (key {request.key[:16]}). "
                    "The mode 'continue' would record one.",
                    code="not_recorded",
                )
        async with self._context.upstreams.send(request, self._route) as response:
            if recording is None:
                await self._send(response)
            else:
                await self._send_and_record(response, request, recording)

    async def _send(self, response: Response) -> None:
        state = self._state
        state.response, state.status = response, response.status
        try:
            await self._relay.send(response)
        except BrokenStreamError as error:
            state.outcome, state.detail = "cut", f"The stream broke off: {error}."
            raise
        state.outcome = "answered"
        if response.stream and not self._relay.token_counter.is_complete:
            state.detail = "The stream ended without its last event."

    async def _send_and_record(self, response: Response, request: UpstreamRequest, recording: RunRecording) -> None:
        """Send a response and append it to the recording, unless the client disconnects."""
        chunks: list[bytes] = []
        response.chunks = copy_chunks(response.chunks, chunks)
        try:
            await self._send(response)
        finally:
            if self._state.outcome in ("answered", "cut"):
                cut = self._state.outcome == "cut"
                recording.append(chunks, response, request=request, path=self._route.path, cut=cut)

    def _note_chunk(self, chunk: bytes) -> None:
        if self._state.first_byte_seconds is None:
            self._state.first_byte_seconds = self._state.seconds()
        self._state.response_body.add(chunk)

    def _count_tokens(self, request: UpstreamRequest) -> TokenCount:
        """Return the tokens of the call, as far as the response has arrived; none for errors."""
        state = self._state
        if not self._route.is_charged or state.outcome == "failed" or state.status >= 400:
            return TokenCount(TokenUsage(), estimated=False)
        return self._relay.token_counter.count(request.expected.input * 4)


def _release_memory() -> None:
    """Return freed memory to the system, since glibc would keep that of each large body."""
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
