"""The door of one run to its models: a Unix socket of its own, so that no run can pass for another."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Self

from mlebench.gateway.models.answers import CutError
from mlebench.gateway.models.connection import HttpConnection, HungUpError
from mlebench.gateway.models.exchange import Desk, Exchange
from mlebench.gateway.models.protocols import ENDPOINTS, MODELS_PATH, Refusal, model_list, protocol_of
from mlebench.gateway.unix_server import socket_path

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from typing import Any

    from mlebench.gateway.models.config import Protocol
    from mlebench.gateway.models.connection import Request
    from mlebench.gateway.models.meter import Spending

_log = logging.getLogger(__name__)

MOST_CONNECTIONS = 64
MOST_HELD_BYTES = 128 * 1024**2
"""Bytes of requests that are held for one run at the same time."""
IDLE_SECONDS = 30.0


class ModelDoor:
    """Serves one run while the context is open. Made by `ModelGateway.door`."""

    def __init__(
        self,
        path: Path,
        desk: Desk,
        run_in_loop: Callable[[Coroutine[Any, Any, None]], None],
        *,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.socket = path
        """Where the server really listens: elsewhere than asked if that path is too long for a socket."""
        self._desk = desk
        self._run_in_loop = run_in_loop
        self._idle = idle_seconds
        self._connections: set[asyncio.Task[None]] = set()
        self._held = 0
        self._server: asyncio.Server
        self._open: ExitStack

    def usage(self) -> Spending:
        """Return what the run has spent so far; may be called from any thread, and after the end."""
        return self._desk.meter.spending()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.socket = stack.enter_context(socket_path(self.socket))
            stack.callback(self._desk.log.close)
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(str(self.socket))
            self.socket.chmod(0o666)
            self._run_in_loop(self._start(listener))
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._run_in_loop(self._stop())
        finally:
            self._open.close()

    async def _start(self, listener: socket.socket) -> None:
        self._server = await asyncio.start_unix_server(self._accept, sock=listener, backlog=MOST_CONNECTIONS)

    async def _stop(self) -> None:
        """Stop listening, and break off what is under way; each call is logged nevertheless."""
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= MOST_CONNECTIONS:
            body = Refusal(503, "There are too many connections at the same time; try again.").body("openai")
            head = f"HTTP/1.1 503 \r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            writer.write(head.encode() + body)
            writer.close()
            return
        task = asyncio.create_task(self._serve(HttpConnection(reader, writer, self._idle)))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, connection: HttpConnection) -> None:
        """Serve one connection to its end."""
        abort = False
        try:
            while True:
                protocol: Protocol = "openai"
                try:
                    request = await connection.next_request()
                    if request is None:
                        return
                    protocol = protocol_of(request.path, request.headers)
                    await self._handle(connection, request)
                except Refusal as refusal:
                    await _refuse(connection, refusal, protocol)
        except (HungUpError, CutError, asyncio.CancelledError):
            abort = True
        except Exception:  # noqa: BLE001 - one connection breaks, the others go on
            abort = True
            _log.exception("The model gateway failed.")
        finally:
            with suppress(OSError):
                await connection.close(abort=abort)

    async def _handle(self, connection: HttpConnection, request: Request) -> None:
        """Answer one request; raise Refusal where it is to be refused."""
        if request.path == MODELS_PATH and request.method == "GET":
            body = model_list(protocol := protocol_of(request.path, request.headers), self._names(protocol))
            await connection.read_body(lambda _: None)
            await connection.start(200, [("content-type", "application/json")], len(body))
            await connection.send(body)
            await connection.finish()
            return
        endpoint = ENDPOINTS.get(request.path)
        if endpoint is None or request.method != "POST":
            self._desk.meter.refuse()
            raise Refusal(
                404 if endpoint is None else 405,
                f"There is no {request.method[:20]} {request.path[:100]} here; "
                f"there are GET {MODELS_PATH} and POST {', '.join(ENDPOINTS)}.",
            )
        held = 0

        def take(size: int) -> None:
            nonlocal held
            held, self._held = held + size, self._held + size
            if self._held > MOST_HELD_BYTES:
                raise Refusal(503, "There are too many large requests at the same time; try again.", retry=True)

        try:
            body = await connection.read_body(take)
            await self._exchange(connection, Exchange(self._desk, endpoint, request, connection), body)
        finally:
            self._held -= held

    async def _exchange(self, connection: HttpConnection, exchange: Exchange, body: bytes) -> None:
        """Run an exchange until it is done or the client is gone, and log it in any case."""
        work = asyncio.create_task(exchange.run(body))
        gone = asyncio.create_task(connection.gone())
        refusal = None
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            exchange.leave("The client did not wait for the end." if not work.done() else "")
        except asyncio.CancelledError:
            exchange.leave("The run ended.")
            raise
        finally:
            for task in (work, gone):
                task.cancel()
            fault, _ = await asyncio.gather(work, gone, return_exceptions=True)
            if isinstance(fault, Refusal):
                refusal = fault
            elif isinstance(fault, Exception) and not isinstance(fault, (HungUpError, CutError)):
                _log.error("A model call failed in the gateway.", exc_info=fault)
                refusal = Refusal(500, "The model gateway itself failed; that is not your fault.", retry=True)
            exchange.close(refusal)
        if refusal is not None:
            raise refusal
        if isinstance(fault, asyncio.CancelledError):
            raise HungUpError
        if fault is not None:
            raise fault
        await exchange.finish()

    def _names(self, protocol: Protocol) -> list[str]:
        config = self._desk.config
        return [name for name, entry in config.models.items() if config.upstreams[entry.upstream].protocol == protocol]


async def _refuse(connection: HttpConnection, refusal: Refusal, protocol: Protocol) -> None:
    """Answer with an error; HungUpError if that cannot be told any more."""
    if connection.answering:
        raise HungUpError
    body = refusal.body(protocol)
    headers = [("content-type", "application/json")]
    if not refusal.retry and refusal.status < 500:
        headers.append(("x-should-retry", "false"))
    await connection.start(refusal.status, headers, len(body))
    await connection.send(body)
    await connection.finish()
