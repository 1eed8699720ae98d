"""The requests of the submission check, and their JSON responses."""

from __future__ import annotations

import http.server
import json
import logging
import os
import socket
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from mlebench.gateway.check.upload import Upload, UploadError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from threading import Event, Lock

    from mlebench.gateway.check.pace import Pace
    from mlebench.gateway.check.quota import CheckQuota, Refusal
    from mlebench.grading.pool import CheckResult
    from mlebench.ground.turns import Turns
    from mlebench.sandbox.base import EventSink

_log = logging.getLogger(__name__)

_NOT_FOUND = "The only requests are GET /health and POST /validate."
_DISCARD_SECONDS = 10.0
"""How long the rest of a refused upload is read."""
_MIN_BYTES = 1024**2
"""What any upload takes of the space for uploads."""
_PAUSE_SECONDS = 0.001
"""After each read of what is discarded: a client that sends much must not keep the harness busy."""
_HARNESS_FACTOR = 10.0
"""How much more than a second of a worker a second of the harness counts, which has one interpreter for all runs."""
_WAITING_FACTOR = 0.2
"""What a second counts in which an upload is received: a slow one keeps space that other runs need."""


@dataclass(frozen=True)
class CheckService:
    """What all requests of a run share."""

    check: Callable[[Path], CheckResult]
    events: EventSink
    max_bytes: int
    """The maximum size of an upload."""
    idle_seconds: float
    folder: Path
    """Uploads are here until they are checked."""
    quota: CheckQuota
    pace: Pace
    turn: Lock
    """Held by the request whose file is received and checked: one at a time in each run."""
    space: Turns
    """The bytes of uploads on disk; all runs share them, so each waits for its turn before it is received."""
    closing: Event
    """Set when the run has ended: nothing is checked or recorded any more."""


class CheckHandler(http.server.BaseHTTPRequestHandler):
    """Handles one connection, which has one request."""

    protocol_version = "HTTP/1.1"  # with HTTP/1.0, curl waits a second before it sends a large body
    server_version = "mlebench"
    sys_version = ""

    def __init__(self, service: CheckService, *arguments: Any) -> None:
        self.service = service
        self._receiving_seconds = 0.0
        super().__init__(*arguments)  # this handles the connection

    def handle(self) -> None:
        began = time.thread_time()
        try:
            super().handle()
        finally:
            self.service.pace.charge(time.thread_time() - began - self._receiving_seconds)

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self.service.idle_seconds)

    def address_string(self) -> str:
        return "sandbox"  # a Unix socket has no client address

    def log_message(self, format: str, *args: object) -> None:
        _log.debug(format, *args)

    def handle_expect_100(self) -> bool:
        return True  # the client gets the permission to send its file when it is its turn

    def do_GET(self) -> None:
        if self.path == "/health":
            self._respond(200, {"status": "running"})
        elif self.path == "/validate":
            self._respond(405, {"error": "Send the file with POST."})
        else:
            self._respond(404, {"error": _NOT_FOUND})

    def do_POST(self) -> None:
        if self.path != "/validate":
            self._respond(404, {"error": _NOT_FOUND})
            self._discard_rest(0)
        else:
            upload = self._upload()
            with self.service.turn:
                if self.service.closing.is_set():
                    self.close_connection = True
                    return
                refusal = self.service.quota.request()
                if refusal is None:
                    self._validate(upload)
            if refusal is not None:
                self._refuse(refusal)
            if upload.received_bytes != upload.length:
                self._discard_rest(upload.received_bytes)

    def _refuse(self, refusal: Refusal) -> None:
        headers = {} if refusal.seconds is None else {"Retry-After": str(refusal.seconds)}
        self._respond(429, {"error": refusal.message}, headers)

    def _validate(self, upload: Upload) -> None:
        """Check an upload, record the event, respond."""
        more: dict[str, object] = {}
        try:
            result = self._save_and_check(upload)
            status, key, message = 200, "result", result.message
            if result.exceeded:
                more["exceeded"] = True
        except UploadError as error:
            status, key, message = error.status, "error", str(error)
        except TimeoutError:
            status, key, message = 408, "error", "The file was sent too slowly."
        except ConnectionError:
            status, key, message = 400, "error", "The connection broke."
        except Exception as error:  # noqa: BLE001 - the agent gets a response to any failure
            if self.service.closing.is_set():
                self.close_connection = True
                return
            _log.exception("The submission check failed.")
            more["fault"] = repr(error)
            status, key = 500, "error"
            message = "The check itself failed. This says nothing about your submission."
        facts = {"size": upload.file_bytes, "sha256": upload.digest, "status": status, "answer": message}
        self.service.events("check", **facts, **more)
        self._respond(status, {key: message})

    def _save_and_check(self, upload: Upload) -> CheckResult:
        """Return the check's result for the uploaded file, which exists outside the sandbox until then."""
        service = self.service
        # A very large upload takes a part only, so that other runs can upload meanwhile.
        size = min(max(_MIN_BYTES, upload.require_length()), service.space.amount // 4)
        with service.space.take(size):
            descriptor, name = tempfile.mkstemp(prefix="upload-", suffix=".csv", dir=service.folder)
            path = Path(name)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    self._receive(upload, file)
                return self._check(path)
            finally:
                path.unlink(missing_ok=True)

    def _receive(self, upload: Upload, file: BinaryIO) -> None:
        """Receive an upload, and charge the run for it."""
        began, began_computing = time.monotonic(), time.thread_time()
        try:
            self._permit()
            upload.save(self.rfile, file)
        finally:
            self._receiving_seconds = time.thread_time() - began_computing
            waiting = _WAITING_FACTOR * (time.monotonic() - began)
            self.service.quota.charge(_HARNESS_FACTOR * self._receiving_seconds + waiting, upload.received_bytes)

    def _check(self, path: Path) -> CheckResult:
        """Check a file, and charge the run for it."""
        began = time.monotonic()
        seconds = None
        try:
            result = self.service.check(path)
            seconds = result.cpu_seconds
            return result
        finally:
            self.service.quota.charge(time.monotonic() - began if seconds is None else seconds)

    def _permit(self) -> None:
        """Tell a client that waits for it to send its file."""
        if self.headers.get("Expect", "").lower() == "100-continue":
            self.send_response_only(100)
            self.end_headers()

    def _upload(self) -> Upload:
        return Upload(self.headers, max_bytes=self.service.max_bytes, idle_seconds=self.service.idle_seconds)

    def _respond(self, status: int, document: dict[str, str], headers: Mapping[str, str] | None = None) -> None:
        body = json.dumps(document, separators=(",", ":")).encode() + b"\n"
        self.close_connection = True
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    def _discard_rest(self, received_bytes: int) -> None:
        """Read what the client still sends; many clients read the response only after they have sent everything."""
        deadline = time.monotonic() + min(_DISCARD_SECONDS, self.service.idle_seconds)
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(1)
            while received_bytes < self.service.max_bytes and time.monotonic() < deadline:
                length = len(self.connection.recv(65536))
                if not length:
                    return
                received_bytes += length
                time.sleep(_PAUSE_SECONDS)
