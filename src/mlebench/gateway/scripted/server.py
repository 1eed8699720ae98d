"""The scripted model server: a real HTTP server on loopback that says what a script tells it to."""

from __future__ import annotations

import http.server
import json
import socket
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from mlebench.gateway.scripted import forms
from mlebench.gateway.scripted.script import Asked, Reply, Tokens

if TYPE_CHECKING:
    from mlebench.gateway.scripted.script import Script


class ScriptedServer:
    """Serves while the context is open.

    `asked` lists the requests as they came, headers included; `reported` counts the tokens that clients were
    told of. When a list of replies is used up, requests get status 400.
    """

    def __init__(self, script: Script) -> None:
        self.asked: list[Asked] = []
        self._script = script
        self._reported = Tokens()
        self._lock = threading.Lock()
        self._server: _Server
        self._thread: threading.Thread

    @property
    def url(self) -> str:
        """Base address, without `/v1`."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def reported(self) -> Tokens:
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

    def take(self, path: str, headers: dict[str, str], raw: bytes) -> tuple[Asked, Reply]:
        """Note a request and choose the reply."""
        body: Any = None
        with suppress(ValueError):
            body = json.loads(raw)
        with self._lock:
            asked = Asked(len(self.asked), path, headers, raw, body if isinstance(body, dict) else {})
            self.asked.append(asked)
        if not isinstance(body, dict):
            return asked, Reply("The body is not a JSON object.", status=400)
        if callable(self._script):
            reply = self._script(asked)
        elif asked.number < len(self._script):
            reply = self._script[asked.number]
        else:
            reply = Reply("The script is over.", status=400)
        return asked, Reply(reply) if isinstance(reply, str) else reply

    def report(self, tokens: Tokens) -> None:
        """Count what a client was told."""
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
        pass  # clients hang up, and are made to


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
        asked, reply = self.server.owner.take(path, headers, raw)
        time.sleep(reply.delay)
        if reply.cut_after == 0:
            self._cut()
        elif reply.malformed:
            self._plain(reply, b'{"choices": [{')
        elif path not in forms.PATHS:
            self._plain(Reply(status=404), json.dumps(forms.error(path, Reply(status=404))).encode())
        elif reply.status != 200:
            self._plain(reply, json.dumps(forms.error(path, reply)).encode())
        elif asked.body.get("stream"):
            self._stream(asked, reply)
        else:
            if reply.tells_usage and reply.cut_after is None and path != "/v1/messages/count_tokens":
                self.server.owner.report(forms.tokens_of(asked, reply))
            self._plain(reply, json.dumps(forms.plain(asked, reply)).encode())

    def _plain(self, reply: Reply, body: bytes) -> None:
        self._head(reply, "application/json", ("Content-Length", str(len(body))))
        self.wfile.write(body if reply.cut_after is None else body[: reply.cut_after])
        self.wfile.flush()
        if reply.cut_after is not None:
            self._cut()

    def _stream(self, asked: Asked, reply: Reply) -> None:
        self._head(reply, "text/event-stream; charset=utf-8", ("Transfer-Encoding", "chunked"))
        for number, event in enumerate(forms.events(asked, reply)):
            if number == reply.cut_after:
                self._cut()
                return
            self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))
            self.wfile.flush()
            time.sleep(reply.pause)
        asks_for_usage = (asked.body.get("stream_options") or {}).get("include_usage")
        if reply.tells_usage and (asks_for_usage or asked.path in ("/v1/messages", "/v1/responses")):
            self.server.owner.report(forms.tokens_of(asked, reply))
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _head(self, reply: Reply, content_type: str, framing: tuple[str, str]) -> None:
        self.send_response(reply.status)
        for name, value in (("Content-Type", content_type), framing, *reply.headers.items()):
            self.send_header(name, value)
        self.end_headers()

    def _cut(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
