"""HTTP for a browser on this machine, and for nobody else.

Pages of the internet can make a browser ask servers on its own machine. So the name in `Host` has to be ours (or else a
foreign name that was made to lead here could read the pages), nothing but reading is offered, and no answer may be
framed or used by other sites.
"""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlebench.analysis.live.site import Site

ADDRESS = "127.0.0.1"
PATIENCE = 30
"""Seconds that a browser may take to say what it wants."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class LiveServer(ThreadingHTTPServer):
    """Serves a site on the loopback interface until it is shut down; port 0 takes a free one."""

    daemon_threads = True

    def __init__(self, site: Site, port: int = 0) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.site = site

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_port}/"

    def hosts(self) -> set[str]:
        """Return the names that a request may be meant for."""
        names = {f"{name}:{self.server_port}" for name in (ADDRESS, "localhost")}
        return names | ({ADDRESS, "localhost"} if self.server_port == 80 else set())


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    server_version = "mlebench"
    sys_version = ""
    timeout = PATIENCE

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _refuse_method(self) -> None:
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", b"Only GET is answered.\n", {"Allow": "GET, HEAD"})

    do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = _refuse_method

    def _answer(self, *, body: bool) -> None:
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0].strip().lower() not in self.server.hosts():
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"This server answers to 127.0.0.1 and localhost only.\n")
            return
        found = self.server.site.answer(self.path.partition("?")[0])
        if found is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"There is nothing at this address.\n", body=body)
        else:
            self._send(found.status, found.kind, found.body, body=body)

    def _send(
        self, status: int, kind: str, content: bytes, headers: dict[str, str] | None = None, *, body: bool = True
    ) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in (_HEADERS | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a browser that looks every few seconds would fill the terminal."""
