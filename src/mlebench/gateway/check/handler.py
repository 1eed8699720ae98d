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
from typing import TYPE_CHECKING, Any

from mlebench.gateway.check.upload import Upload, UploadError

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import BoundedSemaphore

    from mlebench.gateway.check.quota import CheckQuota
    from mlebench.sandbox.base import EventSink

_log = logging.getLogger(__name__)

_NOT_FOUND = "The only requests are GET /health and POST /validate."
_DISCARD_SECONDS = 10.0
"""How long the rest of a refused upload is read."""


@dataclass(frozen=True)
class CheckService:
    """What all requests of a run share."""

    check: Callable[[Path], str]
    events: EventSink
    max_bytes: int
    """The maximum size of an upload."""
    idle_seconds: float
    quota: CheckQuota
    slots: BoundedSemaphore
    """Limits the checks at the same time."""


class CheckHandler(http.server.BaseHTTPRequestHandler):
    """Handles one connection, which has one request."""

    protocol_version = "HTTP/1.1"  # with HTTP/1.0, curl waits a second before it sends a large body
    server_version = "mlebench"
    sys_version = ""

    def __init__(self, service: CheckService, *arguments: Any) -> None:
        self.service = service
        super().__init__(*arguments)  # this handles the connection

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self.service.idle_seconds)

    def address_string(self) -> str:
        return "sandbox"  # a Unix socket has no client address

    def log_message(self, format: str, *args: object) -> None:
        _log.debug(format, *args)

    def handle_expect_100(self) -> bool:
        # For a body that do_POST refuses by its length, the client does not get the permission to send it.
        return self._upload().length is None or super().handle_expect_100()

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
        elif not self.service.quota.take():
            self._respond(429, {"error": f"This run has used all of its {self.service.quota.limit:,} checks."})
            self._discard_rest(0)
        else:
            self._validate(self._upload())

    def _validate(self, upload: Upload) -> None:
        """Check an upload, record the event, respond."""
        failure = None
        try:
            status, key, message = 200, "result", self._save_and_check(upload)
        except UploadError as error:
            status, key, message = error.status, "error", str(error)
        except TimeoutError:
            status, key, message = 408, "error", "The file was sent too slowly."
        except ConnectionError:
            status, key, message = 400, "error", "The connection broke."
        except Exception as error:  # noqa: BLE001 - the agent gets a response to any failure
            _log.exception("The submission check failed.")
            failure = repr(error)
            status, key = 500, "error"
            message = "The check itself failed. This says nothing about your submission."
        facts = {"size": upload.file_bytes, "sha256": upload.digest, "status": status, "answer": message}
        self.service.events("check", **facts, **({} if failure is None else {"fault": failure}))
        self._respond(status, {key: message})
        if upload.received_bytes != upload.length:
            self._discard_rest(upload.received_bytes)

    def _save_and_check(self, upload: Upload) -> str:
        """Return the check's message about the uploaded file, which exists outside the sandbox until then."""
        descriptor, name = tempfile.mkstemp(prefix="mlebench-", suffix=".csv")
        path = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                upload.save(self.rfile, file)
            with self.service.slots:
                return self.service.check(path)
        finally:
            path.unlink(missing_ok=True)

    def _upload(self) -> Upload:
        return Upload(self.headers, max_bytes=self.service.max_bytes, idle_seconds=self.service.idle_seconds)

    def _respond(self, status: int, document: dict[str, str]) -> None:
        body = json.dumps(document, separators=(",", ":")).encode() + b"\n"
        self.close_connection = True
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

    def _discard_rest(self, received_bytes: int) -> None:
        """Read what the client still sends; many clients read the response only after they have sent everything."""
        deadline = time.monotonic() + min(_DISCARD_SECONDS, self.service.idle_seconds)
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(1)
            while received_bytes < self.service.max_bytes and time.monotonic() < deadline:
                data = self.connection.recv(65536)
                if not data:
                    return
                received_bytes += len(data)
