"""The requests of one run: routed, limited in memory, and answered by a call or an error."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from mlebench.gateway.models.call import Call
from mlebench.gateway.models.errors import BrokenStreamError, ClientDisconnectedError, GatewayError
from mlebench.gateway.models.routes import MODELS_PATH, ROUTES, model_list, protocol_of

if TYPE_CHECKING:
    from mlebench.gateway.models.call import RunContext
    from mlebench.gateway.models.config import Protocol
    from mlebench.gateway.models.connection import HttpConnection, Request
    from mlebench.gateway.models.routes import Route

_log = logging.getLogger(__name__)

MAX_PENDING_BYTES = 128 * 1024**2
"""Bytes of request bodies that one run may have in memory at a time."""


_EXPECTED = (GatewayError, ClientDisconnectedError, BrokenStreamError)
MAX_DRAIN_SECONDS = 600.0
"""How long a response is read after its client has disconnected."""


class RequestHandler:
    """Handles the requests of one run, on all of its connections."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._pending_bytes = 0
        self._run_ended = asyncio.Event()
        self.calls: set[asyncio.Task[None]] = set()
        """The tasks of connections with a call in flight."""

    def end_run(self) -> None:
        """Let all clients go; the calls in flight read their responses to the end."""
        self._run_ended.set()

    async def serve(self, connection: HttpConnection) -> None:
        """Answer the requests of a connection until it ends, then close it."""
        abort = False
        try:
            while True:
                protocol: Protocol = "openai"
                try:
                    request = await connection.next_request()
                    if request is None:
                        return
                    protocol = protocol_of(request.path, request.headers)
                    await self._handle(connection, request, protocol)
                except GatewayError as error:
                    await _send_error(connection, error, protocol)
        except (ClientDisconnectedError, BrokenStreamError, asyncio.CancelledError):
            abort = True
        except Exception:  # noqa: BLE001 - a bug must not affect the other connections
            abort = True
            _log.exception("The model gateway failed.")
        finally:
            with suppress(OSError):
                await connection.close(abort=abort)

    async def _handle(self, connection: HttpConnection, request: Request, protocol: Protocol) -> None:
        """Answer one request; raise GatewayError if it is refused."""
        if request.path == MODELS_PATH and request.method == "GET":
            await connection.read_body(lambda _: None)
            body = model_list(protocol, self._model_names(protocol))
            await _send_response(connection, 200, [("content-type", "application/json")], body)
            return
        route = ROUTES.get(request.path)
        if route is None or request.method != "POST":
            self._context.accounting.budget.count_refused()
            raise GatewayError(
                404 if route is None else 405,
                f"{request.method[:20]} {request.path[:100]} is not supported. "
                f"Supported: GET {MODELS_PATH}; POST {', '.join(ROUTES)}.",
            )
        await self._call(connection, request, route)

    async def _call(self, connection: HttpConnection, request: Request, route: Route) -> None:
        """Read the body within the limit on memory, then make the call."""
        size = 0

        def count_bytes(more: int) -> None:
            nonlocal size
            size, self._pending_bytes = size + more, self._pending_bytes + more
            if self._pending_bytes > MAX_PENDING_BYTES:
                raise GatewayError(503, "Too many large requests at the same time. Try again.", retry=True)

        try:
            body = await connection.read_body(count_bytes)
            await self._run_call(Call(self._context, route, request, connection), body, connection)
        finally:
            self._pending_bytes -= size

    async def _run_call(self, call: Call, body: bytes, connection: HttpConnection) -> None:
        """Run a call to its end, with or without its client; close it in any case."""
        if self._run_ended.is_set():
            raise ClientDisconnectedError
        work = asyncio.create_task(call.run(body))
        disconnected = asyncio.create_task(connection.wait_disconnected())
        run_ended = asyncio.create_task(self._run_ended.wait())
        own_task = asyncio.current_task()
        assert own_task is not None
        self.calls.add(own_task)
        try:
            await asyncio.wait((work, disconnected, run_ended), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                call.detach("The run ended." if run_ended.done() else "The client did not wait for the end.")
                if call.is_sent:
                    await asyncio.wait((work,), timeout=MAX_DRAIN_SECONDS)
        finally:
            for task in (work, disconnected, run_ended):
                task.cancel()
            is_cancelled = await _wait_for_end(work)
            failure = None if work.cancelled() else work.exception()
            error = failure if isinstance(failure, GatewayError) else None
            if failure is not None and not isinstance(failure, _EXPECTED):
                _log.error("A model call failed in the gateway.", exc_info=failure)
                error = GatewayError(500, "The model gateway failed. Your request is not the cause.", retry=True)
            call.close(error)
            self.calls.discard(own_task)
        if is_cancelled:
            raise asyncio.CancelledError
        if work.cancelled():
            raise ClientDisconnectedError
        if error is not None:
            raise error
        if failure is not None:
            raise failure
        await call.finish()

    def _model_names(self, protocol: Protocol) -> list[str]:
        config = self._context.config
        return [name for name, entry in config.models.items() if config.upstreams[entry.upstream].protocol == protocol]


async def _wait_for_end(work: asyncio.Task[None]) -> bool:
    """Wait until a call has ended; return whether the waiting task was cancelled, which must not lose the call."""
    is_cancelled = False
    while not work.done():
        try:
            await asyncio.wait((work,))
        except asyncio.CancelledError:
            is_cancelled = True
    return is_cancelled


async def _send_error(connection: HttpConnection, error: GatewayError, protocol: Protocol) -> None:
    """Answer with an error; raise ClientDisconnectedError if a response has begun already."""
    if connection.is_responding:
        raise ClientDisconnectedError
    await _send_response(connection, error.status, error.headers(), error.body(protocol))


async def _send_response(connection: HttpConnection, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
    await connection.start_response(status, headers, len(body))
    await connection.send_body(body)
    await connection.end_response()
