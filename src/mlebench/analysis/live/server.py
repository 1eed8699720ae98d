"""HTTP for a browser on this machine only.

Web pages can make a browser send requests to servers on its own machine. So the name in `Host` must be ours (otherwise
a foreign name that resolves to this machine could read the pages), only reading is possible, and other sites can
neither embed nor read a response.
"""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.analysis.live.site import Site
from mlebench.analysis.sources import as_sources
from mlebench.errors import EnvironmentUnfitError
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from mlebench.analysis.sources import Source

ADDRESS = "127.0.0.1"
TIMEOUT = 30
"""Seconds that a browser may take to send its request."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def view(
    sources: Source | Iterable[Source],
    *,
    runs_dir: str | os.PathLike[str] = "runs",
    port: int = 0,
    registry: Registry | None = None,
) -> LiveServer:
    """Serve a report on runs in progress to browsers on this machine.

    The server reads what is on disk. It can be started and stopped at any time and never touches the runs.

    Parameters
    ----------
    sources, runs_dir
        As in `mlebench.report`.
    port : int
        Port on 127.0.0.1; 0 chooses a free one.
    registry : Registry, optional
        Where competitions are looked up; by default the built-in ones.

    Returns
    -------
    LiveServer
        Listening, with its `url`. Call `serve_forever`, or use a thread; close it with `server_close` or `with`.

    Raises
    ------
    ReportError
        A source does not exist or is damaged.
    EnvironmentUnfitError
        The port cannot be used.

    Examples
    --------
    >>> with mlebench.view("my-group") as server:  # doctest: +SKIP
    ...     print(server.url)
    ...     server.serve_forever()
    """
    site = Site(as_sources(sources), Path(runs_dir), registry or Registry())
    site.read()  # reports wrong names before a browser does
    try:
        return LiveServer(site, port)
    except OSError as error:
        raise EnvironmentUnfitError(
            f"Cannot use port {port} of {ADDRESS} ({error.strerror}). Choose another with --port, or 0 for a free one."
        ) from error


class LiveServer(ThreadingHTTPServer):
    """Serves a site on the loopback interface until it is shut down."""

    daemon_threads = True

    def __init__(self, site: Site, port: int = 0) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.site = site

    @property
    def url(self) -> str:
        """The address of the progress page."""
        return f"http://{ADDRESS}:{self.server_port}/"

    def hosts(self) -> set[str]:
        """Return the values of `Host` that are accepted."""
        names = {f"{name}:{self.server_port}" for name in (ADDRESS, "localhost")}
        return names | ({ADDRESS, "localhost"} if self.server_port == 80 else set())


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    server_version = "mlebench"
    sys_version = ""
    timeout = TIMEOUT

    def do_GET(self) -> None:
        self._respond(has_body=True)

    def do_HEAD(self) -> None:
        self._respond(has_body=False)

    def _refuse_method(self) -> None:
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", b"Only GET is allowed.\n", {"Allow": "GET, HEAD"})

    do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = _refuse_method

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        if self.request_version not in ("HTTP/1.0", "HTTP/1.1"):  # a response to HTTP/0.9 would have no headers
            self.request_version = "HTTP/1.0"
            self._send(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "text/plain", b"Only HTTP/1.0 and 1.1 are allowed.\n")
            return False
        return True

    def _respond(self, *, has_body: bool) -> None:
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0].strip().lower() not in self.server.hosts():
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"Only 127.0.0.1 and localhost are allowed as Host.\n")
            return
        response = self.server.site.respond(self.path.partition("?")[0])
        if response is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"There is nothing at this address.\n", has_body=has_body)
        else:
            self._send(response.status, response.content_type, response.body, has_body=has_body)

    def _send(
        self,
        status: int,
        content_type: str,
        content: bytes,
        headers: dict[str, str] | None = None,
        *,
        has_body: bool = True,
    ) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in (_HEADERS | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if has_body:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: the page makes a request every few seconds."""
