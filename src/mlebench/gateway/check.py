"""The submission check: an HTTP server on a Unix socket, the door at which an agent may ask about a file.

    GET  /health    -> 200 {"status":"running"}
    POST /validate  -> 200 {"result":"<message>"}, for a multipart form with the file in its field `file`

Everything else is an answer `{"error":"<message>"}`: 400 malformed, 404 no such path, 405 no such method,
408 too slow, 411 no length, 413 too large, 429 too many in this run, 500 the check itself failed, 503 too many
at once.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import logging
import os
import socket
import socketserver
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from mlebench.gateway.multipart import MultipartError, boundary_of, read_field
from mlebench.gateway.unix_socket import bindable_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.sandbox.base import EventSink

_log = logging.getLogger(__name__)

_CHECKS = 2
_CONNECTIONS = 8
MOST_CHECKS = 20_000
"""Checks that are answered in one run. Each is an event of its record, which must not grow without end."""
_IDLE_SECONDS = 30.0
_SLOWEST = 1024**2
"""Bytes a second that a sender has to manage over the whole upload, after the first idle time."""


class CheckServer:
    """Serves the submission check while the context is open.

    `check` gets the path of an uploaded `.csv` and returns the message for its author; it runs at most twice
    at the same time. The upload lies outside the sandbox and is deleted afterwards.
    """

    def __init__(
        self,
        socket_path: Path,
        check: Callable[[Path], str],
        *,
        events: EventSink,
        max_bytes: int,
        idle_seconds: float = _IDLE_SECONDS,
    ) -> None:
        self.socket_path = socket_path
        """Where the server really listens: elsewhere than asked if that path is too long for a socket."""
        self.check = check
        self.events = events
        self.max_bytes = max_bytes
        self.idle_seconds = idle_seconds
        self.checks = threading.BoundedSemaphore(_CHECKS)
        self._asked = 0
        self._lock = threading.Lock()
        self._server: _Server
        self._thread: threading.Thread
        self._open: ExitStack

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.socket_path = stack.enter_context(bindable_path(self.socket_path))
            self._server = _Server(self)
            stack.callback(self._server.server_close)
            self.socket_path.chmod(0o666)
            self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
            self._thread.start()
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._open.close()

    def may_ask(self) -> bool:
        """Count one more check; tell whether it is to be made, and the log when one is not for the first time."""
        with self._lock:
            self._asked += 1
            asked = self._asked
        if asked == MOST_CHECKS + 1:
            self.events("limit", limit="checks", value=asked, bound=MOST_CHECKS)
        return asked <= MOST_CHECKS


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 32

    def __init__(self, owner: CheckServer) -> None:
        self.owner = owner
        self.places = threading.BoundedSemaphore(_CONNECTIONS)
        super().__init__(str(owner.socket_path), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self.places.acquire(blocking=False):
            body = b'{"error":"Too many requests at the same time; try again."}\n'
            head = f"HTTP/1.1 503 Busy\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
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
            self.places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        _log.debug("A connection to the submission check broke.", exc_info=True)


class _Refusal(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"  # without it, curl waits a second before it sends a larger body
    server_version = "mlebench"
    sys_version = ""

    def setup(self) -> None:
        super().setup()
        self.owner = self.server.owner
        self.connection.settimeout(self.owner.idle_seconds)

    def address_string(self) -> str:
        return "sandbox"  # a Unix socket has no client address

    def log_message(self, format: str, *args: object) -> None:
        _log.debug(format, *args)

    def handle_expect_100(self) -> bool:
        # A body that would be refused need not be sent at all; do_POST sends the refusal.
        return self._length() is None or super().handle_expect_100()

    def do_GET(self) -> None:
        if self.path == "/health":
            self._answer(200, {"status": "running"})
        elif self.path == "/validate":
            self._answer(405, {"error": "Send the file with POST."})
        else:
            self._answer(404, {"error": "There are only GET /health and POST /validate."})

    def do_POST(self) -> None:
        if self.path != "/validate":
            self._answer(404, {"error": "There are only GET /health and POST /validate."})
            self._drop_rest(0)
            return
        if not self.owner.may_ask():
            self._answer(429, {"error": f"This run has made all of its {MOST_CHECKS} checks."})
            self._drop_rest(0)
            return
        receipt = _Receipt()
        fault = None
        try:
            status, key, message = 200, "result", self._receive_and_check(receipt)
        except _Refusal as refusal:
            status, key, message = refusal.status, "error", str(refusal)
        except TimeoutError:
            status, key, message = 408, "error", "The file came too slowly."
        except ConnectionError:
            status, key, message = 400, "error", "The connection broke."
        except Exception as error:  # noqa: BLE001 - whatever it is, the agent gets an answer
            _log.exception("The submission check failed.")
            fault = repr(error)
            status, key = 500, "error"
            message = "The check itself failed; that says nothing about your submission."
        facts = {"size": receipt.size, "sha256": receipt.digest(), "status": status, "answer": message}
        self.owner.events("check", **facts, **({} if fault is None else {"fault": fault}))
        self._answer(status, {key: message})
        if receipt.read != self._length():
            self._drop_rest(receipt.read)

    def _length(self) -> int | None:
        """Return the length of the body, or None if such a body is not taken."""
        text = self.headers.get("Content-Length", "")
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            return None
        return length if (length := int(text)) <= self.owner.max_bytes else None

    def _receive_and_check(self, receipt: _Receipt) -> str:
        if "Content-Length" not in self.headers or "Transfer-Encoding" in self.headers:
            raise _Refusal(411, "Send the file with a Content-Length.")
        length = self._length()
        if length is None:
            text = self.headers["Content-Length"]
            if text.isascii() and text.isdigit():
                raise _Refusal(413, f"The file is too large: {self.owner.max_bytes} bytes are allowed.")
            raise _Refusal(400, "The Content-Length is not a number.")
        deadline = time.monotonic() + self.owner.idle_seconds + length / _SLOWEST

        def read(size: int) -> bytes:
            if time.monotonic() > deadline:
                raise TimeoutError
            data = self.rfile.read1(min(size, length - receipt.read))
            receipt.read += len(data)
            return bytes(data)

        descriptor, name = tempfile.mkstemp(prefix="mlebench-", suffix=".csv")
        path = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:

                def write(data: bytes) -> None:
                    receipt.add(data)
                    file.write(data)

                try:
                    read_field(read, boundary_of(self.headers.get("Content-Type")), "file", write)
                except MultipartError as error:
                    raise _Refusal(400, str(error)) from None
            with self.owner.checks:
                return self.owner.check(path)
        finally:
            path.unlink(missing_ok=True)

    def _answer(self, status: int, document: dict[str, str]) -> None:
        body = json.dumps(document, separators=(",", ":")).encode() + b"\n"
        self.close_connection = True
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

    def _drop_rest(self, read: int) -> None:
        """Read what a client still sends: it looks for the answer only when it has sent all, or much."""
        deadline = time.monotonic() + min(10.0, self.owner.idle_seconds)
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(1)
            while read < self.owner.max_bytes and time.monotonic() < deadline:
                data = self.connection.recv(65536)
                if not data:
                    return
                read += len(data)


class _Receipt:
    """What is known of an upload so far."""

    def __init__(self) -> None:
        self.read = 0
        self.size = 0
        self._hash = hashlib.sha256()

    def add(self, data: bytes) -> None:
        self.size += len(data)
        self._hash.update(data)

    def digest(self) -> str:
        return self._hash.hexdigest()
