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
from mlebench.gateway.models.errors import BrokenStreamError, ClientDisconnectedError, GatewayError
from mlebench.gateway.models.relay import ResponseRelay
from mlebench.gateway.models.requests import prepare_request
from mlebench.gateway.models.responses import copy_chunks
from mlebench.gateway.models.token_counts import TokenCount
from mlebench.gateway.models.upstreams import Attempts
from mlebench.gateway.models.usage import TokenUsage

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from mlebench.gateway.models.accounting import Accounting
    from mlebench.gateway.models.config import ModelsConfig
    from mlebench.gateway.models.connection import HttpConnection, Request
    from mlebench.gateway.models.expected_tokens import ExpectedTokens
    from mlebench.gateway.models.recording import Mode, RunRecording
    from mlebench.gateway.models.requests import UpstreamRequest
    from mlebench.gateway.models.responses import Response
    from mlebench.gateway.models.routes import Route
    from mlebench.gateway.models.token_counts import Basis
    from mlebench.gateway.models.upstreams import UpstreamClient

LARGE_BODY_BYTES = 256 * 1024
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
        self._attempts = Attempts()
        self._relay: ResponseRelay
        self.is_sent = False
        """Whether the request may have reached the upstream, which charges it whether or not the client waits."""

    async def run(self, body: bytes) -> None:
        """Get a response and send it but for its end. It is read to its end even if the client disconnects.

        Raises
        ------
        GatewayError
            If the request is refused, or no upstream responds.
        BrokenStreamError
            If the response breaks off.
        ClientDisconnectedError
            If the client is gone. The response was read nevertheless.
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
            self._relay = ResponseRelay(
                self._connection,
                self._attempts.client_gone,
                strip_usage=request.strip_usage,
                on_chunk=self._note_chunk,
            )
            self.is_sent = True
            try:
                await self._respond(request)
            except GatewayError as error:
                self._require_client(error.message)
                self._state.outcome = "failed"
                raise
            finally:
                reservation.used = accounting.charge(self._state, request, self._count_tokens(reservation.expected))

    def detach(self, reason: str) -> None:
        """Let the client go: nothing more is sent to it, and no failed attempt is repeated."""
        self._state.detail = self._state.detail or reason
        self._attempts.client_gone.set()
        self._connection.abort()

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
                self._attempts.billed = int(recorded.status < 300)
                await self._send(recorded.response())
                return
            if mode == "replay":
                raise GatewayError(
                    404,
                    f"The recording has no further response to this request (key {request.key[:16]}). "
                    "The mode 'continue' would record one.",
                    code="not_recorded",
                )
        async with self._context.upstreams.send(request, self._route, self._attempts) as response:
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
            self._require_client(f"The stream broke off: {error}.")
            state.outcome, state.detail = "cut", f"The stream broke off: {error}."
            raise
        self._require_client("The client did not wait for the end.")
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

    def _require_client(self, detail: str) -> None:
        """Raise ClientDisconnectedError if the client is gone, and note a detail unless there is one."""
        if self._attempts.client_gone.is_set():
            self._state.detail = self._state.detail or detail
            raise ClientDisconnectedError

    def _count_tokens(self, expected: ExpectedTokens) -> TokenCount:
        """Return the tokens of all attempts that the provider charges."""
        unknown = self._attempts.billed
        if not self._route.is_charged or not unknown:
            return TokenCount(TokenUsage(), "free")
        counter, reported = self._relay.token_counter, None
        basis: Basis
        if self._state.response is not None and self._state.status < 300:
            reported = counter.reported()
        if reported is None:
            tokens, basis = counter.reserved(expected), "reserved"
        else:
            tokens, basis = reported, "drained" if self._attempts.client_gone.is_set() else "reported"
        lost = unknown - 1
        for _ in range(lost):
            tokens += TokenUsage(input=expected.input, output=expected.output)
        return TokenCount(tokens, basis, lost + (reported is None))


def _release_memory() -> None:
    """Return freed memory to the system, since glibc would keep that of each large body."""
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
