"""The scripted model server: a real HTTP server on loopback whose replies come from a script."""

from __future__ import annotations

import http.server
import json
import socket
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from mlebench.gateway.scripted import formats
from mlebench.gateway.scripted.script import Reply, Request, TokenCounts

if TYPE_CHECKING:
    from mlebench.gateway.scripted.script import Script


class ScriptedServer:
    """Serves while the context is open.

    Requests get status 400 when a list of replies is used up.

    Parameters
    ----------
    script : sequence of Reply or str, or callable
        The replies in order, or a function from a `Request` to a reply. A string is a reply with that text.

    Attributes
    ----------
    requests : list of Request
        The requests in the order in which they arrived.
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self._script = script
        self._reported = TokenCounts()
        self._lock = threading.Lock()
        self._server: _Server
        self._thread: threading.Thread

    @property
    def url(self) -> str:
        """The base URL, without `/v1`."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def reported(self) -> TokenCounts:
        """The sum of the token counts that clients received."""
        with self._lock:
            return replace(self._reported)

    def __enter__(self) -> Self:
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def reply_to(self, path: str, headers: dict[str, str], raw: bytes) -> tuple[Request, Reply]:
        """Append a request to `requests` and return it with the script's reply."""
        body: Any = None
        with suppress(ValueError):
            body = json.loads(raw)
        with self._lock:
            request = Request(len(self.requests), path, headers, raw, body if isinstance(body, dict) else {})
            self.requests.append(request)
        if not isinstance(body, dict):
            return request, Reply("The body is not a JSON object.", status=400)
        if callable(self._script):
            reply = self._script(request)
        elif request.number < len(self._script):
            reply = self._script[request.number]
        else:
            reply = Reply("The script is over.", status=400)
        return request, Reply(reply) if isinstance(reply, str) else reply

    def add_reported(self, tokens: TokenCounts) -> None:
        """Add token counts that a client received."""
        with self._lock:
            self._reported.input += tokens.input
            self._reported.cached += tokens.cached
            self._reported.output += tokens.output


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, owner: ScriptedServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # clients disconnect, and scripts make the server disconnect


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet for head and body

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        headers = {name.lower(): value for name, value in self.headers.items()}
        request, reply = self.server.owner.reply_to(path, headers, raw)
        time.sleep(reply.delay)
        if reply.cut_after == 0:
            self._disconnect()
        elif reply.malformed:
            self._send_body(reply, b'{"choices": [{')
        elif path not in formats.PATHS:
            self._send_json(Reply(status=404), formats.error(path, Reply(status=404)))
        elif reply.status != 200:
            self._send_json(reply, formats.error(path, reply))
        elif request.body.get("stream"):
            self._send_stream(request, reply)
        else:
            if reply.reports_usage and reply.cut_after is None and path != formats.COUNT_TOKENS_PATH:
                self.server.owner.add_reported(formats.token_counts(request, reply))
            self._send_json(reply, formats.document(request, reply))

    def _send_json(self, reply: Reply, document: formats.Json) -> None:
        self._send_body(reply, json.dumps(document).encode())

    def _send_body(self, reply: Reply, body: bytes) -> None:
        self._send_head(reply, "application/json", ("Content-Length", str(len(body))))
        self.wfile.write(body if reply.cut_after is None else body[: reply.cut_after])
        self.wfile.flush()
        if reply.cut_after is not None:
            self._disconnect()

    def _send_stream(self, request: Request, reply: Reply) -> None:
        self._send_head(reply, "text/event-stream; charset=utf-8", ("Transfer-Encoding", "chunked"))
        for number, event in enumerate(formats.events(request, reply)):
            if number == reply.cut_after:
                self._disconnect()
                return
            self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))
            self.wfile.flush()
            time.sleep(reply.pause)
        if formats.stream_reports_usage(request, reply):
            self.server.owner.add_reported(formats.token_counts(request, reply))
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _send_head(self, reply: Reply, content_type: str, framing: tuple[str, str]) -> None:
        self.send_response(reply.status)
        for name, value in (("Content-Type", content_type), framing, *reply.headers.items()):
            self.send_header(name, value)
        self.end_headers()

    def _disconnect(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
