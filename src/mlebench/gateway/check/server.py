"""The server of a run's submission check: a Unix socket with limits on its connections."""

from __future__ import annotations

import logging
import socketserver
import threading
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from mlebench.gateway.check.handler import CheckHandler, CheckService
from mlebench.gateway.check.pace import CONNECTION_SECONDS, Pace
from mlebench.gateway.check.quota import CheckLimits, CheckQuota
from mlebench.gateway.unix_socket import bindable_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.grading.pool import CheckResult
    from mlebench.ground.turns import Turns
    from mlebench.sandbox.base import EventSink

_log = logging.getLogger(__name__)

MAX_CONNECTIONS = 8
IDLE_SECONDS = 30.0


class CheckServer:
    """Serves the submission check of one run while the context is open.

    Parameters
    ----------
    socket_path : Path
        The Unix socket to listen on. Uploads are kept in its folder until they are checked.
    check : callable
        Gets the path of an uploaded `.csv` file and returns the result with a message for its author. It gets one file
        at a time. The file is outside the sandbox and is deleted afterwards.
    events : EventSink
        Receives an event `check` for each upload.
    max_bytes : int
        The maximum size of an upload.
    space : Turns
        The bytes of uploads that may be on disk, for all runs.
    limits : CheckLimits, optional
        What all checks of the run may use.
    idle_seconds : float
        How long a client may send nothing.

    Attributes
    ----------
    socket_path : Path
        The Unix socket. While the context is open it may differ from the requested path, if that is too long.
    """

    def __init__(
        self,
        socket_path: Path,
        check: Callable[[Path], CheckResult],
        *,
        events: EventSink,
        max_bytes: int,
        space: Turns,
        limits: CheckLimits | None = None,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.socket_path = socket_path
        self._closing = threading.Event()
        self._service = CheckService(
            check=check,
            events=events,
            max_bytes=max_bytes,
            idle_seconds=idle_seconds,
            folder=socket_path.parent,
            quota=CheckQuota(limits or CheckLimits(), events),
            pace=Pace(self._closing),
            turn=threading.Lock(),
            space=space,
            closing=self._closing,
        )
        self._server: _SocketServer
        self._thread: threading.Thread
        self._exit_stack: ExitStack

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.socket_path = stack.enter_context(bindable_path(self.socket_path))
            self._server = _SocketServer(self.socket_path, self._service)
            stack.callback(self._server.server_close)
            self.socket_path.chmod(0o666)  # agents may run as another user
            self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
            self._thread.start()
            self._exit_stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._exit_stack.close()


class _SocketServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Handles each connection in a thread, `MAX_CONNECTIONS` at a time."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 32

    def __init__(self, socket_path: Path, service: CheckService) -> None:
        self._pace = service.pace
        self._connection_slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__(str(socket_path), partial(CheckHandler, service))

    def process_request(self, request: Any, client_address: Any) -> None:
        self._pace.wait()
        if not self._connection_slots.acquire(blocking=False):
            self._pace.charge(CONNECTION_SECONDS)
            body = b'{"error":"Too many requests at the same time. Try again."}\n'
            head = "\r\n".join(
                ("HTTP/1.1 503 Busy", f"Content-Length: {len(body)}", "Retry-After: 1", "Connection: close", "", "")
            ).encode()
            with suppress(OSError):
                request.settimeout(1)
                request.sendall(head + body)
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connection_slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        _log.debug("A connection to the submission check broke.", exc_info=True)
