"""The model server of one run: a Unix socket of its own, so that no run can act as another."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from mlebench.gateway.models.connection import HttpConnection
from mlebench.gateway.models.errors import GatewayError
from mlebench.gateway.models.handler import RequestHandler
from mlebench.gateway.unix_socket import bindable_path

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from typing import Any

    from mlebench.gateway.models.call import RunContext
    from mlebench.gateway.models.usage import RunUsage

MAX_CONNECTIONS = 64
IDLE_SECONDS = 30.0
"""How long a client may send nothing while it sends a request."""
END_OF_RUN_SECONDS = 15.0
"""How long the responses to calls in flight are read when the run has ended."""


class ModelServer:
    """Serves one run while the context is open. `ModelGateway.serve_run` creates it.

    Attributes
    ----------
    socket_path : Path
        The Unix socket. While the context is open it may differ from the requested path, if that is too long.
    """

    def __init__(
        self,
        socket_path: Path,
        context: RunContext,
        run_in_loop: Callable[[Coroutine[Any, Any, None]], None],
        *,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.socket_path = socket_path
        self._accounting = context.accounting
        self._handler = RequestHandler(context)
        self._run_in_loop = run_in_loop
        self._idle_seconds = idle_seconds
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server
        self._exit_stack: ExitStack

    def usage(self) -> RunUsage:
        """Return what the run has used so far; any thread may call this, also after the context is closed."""
        return self._accounting.budget.usage()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.socket_path = stack.enter_context(bindable_path(self.socket_path))
            stack.callback(self._accounting.log.close)
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(str(self.socket_path))
            self.socket_path.chmod(0o666)  # agents may run as another user
            self._run_in_loop(self._start(listener))
            self._exit_stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._run_in_loop(self._stop())
        finally:
            self._exit_stack.close()

    async def _start(self, listener: socket.socket) -> None:
        self._server = await asyncio.start_unix_server(self._accept, sock=listener, backlog=MAX_CONNECTIONS)

    async def _stop(self) -> None:
        """Stop listening and end the calls in flight. They have some seconds to read their token counts."""
        self._server.close()
        self._handler.end_run()
        for task in self._connections - self._handler.calls:
            task.cancel()
        if self._handler.calls:
            await asyncio.wait(self._handler.calls, timeout=END_OF_RUN_SECONDS)
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= MAX_CONNECTIONS:
            body = GatewayError(503, "Too many connections at the same time. Try again.").body("openai")
            head = f"HTTP/1.1 503 \r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            writer.write(head.encode() + body)
            writer.close()
            return
        connection = HttpConnection(reader, writer, self._idle_seconds)
        task = asyncio.create_task(self._handler.serve(connection))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
