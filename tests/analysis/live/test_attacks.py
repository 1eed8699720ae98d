"""Requests of any form to the viewer: no file outside of its pages is served, and it goes on serving."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.live.server import LiveServer
from mlebench.analysis.live.site import Site

from ..files import write_artifacts
from ..records import running_group

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = b"the-secret-of-the-host"
UP = ("../", "..\\", "%2e%2e/", "%2e%2e%2f", "%252e%252e%252f", "..%5c", "..%c0%af", "%c0%ae%c0%ae/", "..;/", "....//")
TRAVERSALS = tuple(prefix + 3 * up + "secret.txt" for up in UP for prefix in ("/", "/report_files/"))
TARGETS = (
    *TRAVERSALS, "/group/metadata.json", "/metadata.json%00.html",
    "/report_files/a_aide_seed-0.html%00/../metadata.json",
    "/%2e", "/.", "/report.html/", "/report.html/../report.json", "/report.json%20", "/report.json\x00",
    "\\report.json", "file:///etc/passwd", "http://127.0.0.1/report.json", "http://evil.example/report.json",
    "//evil.example/report.json",
    "*", "/" + "a" * 60000, "/\xff\xfe", "/report_files/" + "%00" * 100,
)  # fmt: skip
"""What a request may ask for; there is nothing at any of these."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("viewer")
    (folder / "secret.txt").write_bytes(SECRET)
    (folder / "runs").mkdir()
    (folder / "runs" / "secret.txt").write_bytes(SECRET)
    write_artifacts(folder / "runs" / "group", running_group())
    (folder / "runs" / "group" / "secret.txt").write_bytes(SECRET)
    with LiveServer(Site(["group"], folder / "runs", None)) as live:
        thread = threading.Thread(target=live.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield live
        live.shutdown()
        thread.join()


def connect(server: LiveServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.server_port), timeout=120)


def send(server: LiveServer, data: bytes) -> bytes:
    """Send bytes and return all that comes back; nothing if the connection is reset."""
    with connect(server) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))
        except OSError:
            return b""


def head(server: LiveServer, target: str, *lines: str, method: str = "GET") -> bytes:
    """Return a request; without lines, it has the right Host."""
    headers = lines or (f"Host: 127.0.0.1:{server.server_port}",)
    return "\r\n".join((f"{method} {target} HTTP/1.1", *headers, "", "")).encode("latin-1")


def statuses(answer: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.\d (\d{3}) ", answer)]


def check_alive(server: LiveServer) -> None:
    answer = send(server, head(server, "/"))
    assert statuses(answer) == [200] and b"1 of 4" in answer.replace("\N{NARROW NO-BREAK SPACE}".encode(), b" ")


def is_private(answer: bytes) -> bool:
    return SECRET in answer or b"root:" in answer or b'"run_group"' in answer


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_no_address_leads_out_of_the_pages(server: LiveServer, method: str) -> None:
    for target in TARGETS:
        answer = send(server, head(server, target, method=method))
        assert statuses(answer) in ([400], [404]), target
        assert not is_private(answer), target
    check_alive(server)


@pytest.mark.parametrize(
    "lines",
    [
        ("X: y",), ("Host: ",), ("Host: evil.example",), ("Host: 127.0.0.1:{port}", "Host: evil.example"),
        ("Host: evil.example", "Host: 127.0.0.1:{port}"), ("Host: 127.0.0.1:{port}", "host: 127.0.0.1:{port}"),
        ("Host: 127.0.0.1:{port}, evil.example",), ("Host: evil.example@127.0.0.1:{port}",),
        ("Host: 127.0.0.1:{port}.evil",),
        ("Host: 127.1:{port}",), ("Host: 2130706433:{port}",), ("Host: 0.0.0.0:{port}",), ("Host: [::1]:{port}",),
        ("Host: localhost.:{port}",), ("Host: localhost.evil.example:{port}",), ("Host: 127.0.0.1:0{port}",),
        ("Host: 127.0.0.1:{port}\x00",), ("Host : 127.0.0.1:{port}",), (" Host: 127.0.0.1:{port}",),
        ("X: y", " Host: 127.0.0.1:{port}"), ("X-Forwarded-Host: 127.0.0.1:{port}", "Host: evil.example"),
        ("Host: 127.0.0.1:{port}\n evil.example",), ("Host: evil.example\r Host: 127.0.0.1:{port}",),
    ],
)  # fmt: skip
def test_a_foreign_or_unclear_host_reads_nothing(server: LiveServer, lines: tuple[str, ...]) -> None:
    filled = [line.format(port=server.server_port) for line in lines]
    for target in ("/", "/report.html", "/report.json", f"http://127.0.0.1:{server.server_port}/"):
        answer = send(server, head(server, target, *filled))
        assert statuses(answer) in ([400], [403])
        assert b"aide" not in answer


ODD_REQUESTS = {
    "nothing": b"",
    "line ends": b"\r\n\r\n\r\n",
    "no version": b"GET /report.json\r\n",
    "no version, with an empty line": b"GET /report.json\r\n\r\n",
    "no version, with a host": b"GET /report.json\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "old version": b"GET /report.json HTTP/0.9\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "new version": b"GET /report.json HTTP/2.0\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "odd version": b"GET /report.json HTTP/1.1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "huge version": b"GET /report.json HTTP/" + b"9" * 5000 + b".1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "zero bytes": bytes(70000),
    "long line": b"GET /" + b"a" * 200_000,
    "long header": b"GET / HTTP/1.1\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n" + b"X: y\r\n" * 5000 + b"\r\n",
    "unknown method": b"BREW / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "method of a handler": b"request_size / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "chunked body": b"POST /report.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5\r\nhello\r\n0\r\n\r\n",
    "endless chunk": b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    "length that is no number": b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
}


@pytest.mark.parametrize("request_bytes", ODD_REQUESTS.values(), ids=list(ODD_REQUESTS))
def test_odd_requests_read_nothing_and_end(server: LiveServer, request_bytes: bytes) -> None:
    answer = send(server, request_bytes.replace(b"{port}", str(server.server_port).encode()))
    assert set(statuses(answer)) <= {400, 403, 405, 408, 414, 431, 501, 505}
    assert not is_private(answer) and b"aide" not in answer
    check_alive(server)


def test_a_connection_gets_one_answer(server: LiveServer) -> None:
    """Otherwise a body could hold a second request, which a proxy does not see."""
    good = head(server, "/report.json")
    assert statuses(send(server, good * 5)) == [200]
    smuggling = head(
        server, "/", f"Host: 127.0.0.1:{server.server_port}", f"Content-Length: {len(good)}", "Connection: keep-alive"
    )
    assert statuses(send(server, smuggling + good)) == [200]
    refused = head(server, "/", "Host: evil.example", "Connection: keep-alive")
    assert statuses(send(server, refused + good)) == [403]


def test_slow_and_idle_clients_do_not_stop_others(server: LiveServer) -> None:
    with ExitStack() as stack:
        for number in range(60):
            connection = stack.enter_context(connect(server))
            connection.sendall(head(server, "/")[: number % 30])
        check_alive(server)
    check_alive(server)


def test_a_client_that_does_not_read_stops_nobody(server: LiveServer) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(connect(server)).sendall(head(server, "/report.html"))
        check_alive(server)
