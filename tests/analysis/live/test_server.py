from __future__ import annotations

import http.client
import re
import socket
import threading
from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.live.server import LiveServer
from mlebench.analysis.live.site import Site

from ..files import write_artifacts
from ..pages import Outline
from ..records import running_group

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    write_artifacts(tmp_path / "group", running_group())
    with LiveServer(Site(["group"], tmp_path, None)) as live:
        thread = threading.Thread(target=live.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield live
        live.shutdown()
        thread.join()


def ask(
    server: LiveServer, path: str = "/", method: str = "GET", host: str | None = None
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=120)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host if host is not None else f"127.0.0.1:{server.server_port}")
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read().decode()


def test_runs_in_progress_are_shown(server: LiveServer) -> None:
    status, _, text = ask(server)
    assert status == 200
    assert Outline(text).open == []
    for words in ("1 of 4 runs", "In progress", "for 0:05:", "Latest (1)", "Ended, not graded yet (1)", "Queue (1)"):
        assert words in text.replace("\N{NARROW NO-BREAK SPACE}", " ")


def test_reports_and_runs_have_addresses(server: LiveServer) -> None:
    status, _, report = ask(server, "/report.html")
    assert status == 200
    links = set(re.findall(r'href="(report_files/[^"]+)"', report))
    assert "report_files/a_aide_seed-0.html" in links
    for link in links:
        status, _, page = ask(server, f"/{link}?anything")
        assert status == 200 and "../report.html" in page
    assert ask(server, "/report.json")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/metadata.json", "/../group/metadata.json", "/report_files/../../group/metadata.json", "//etc/passwd",
        "/report_files/%2e%2e/metadata.json", "/report_files/", "/report_files/a_aide_seed-3.html", "/\x7f", "*",
        "http://127.0.0.1/", "/report_files/a_aide_seed-0.html/..",
    ],
)  # fmt: skip
def test_there_are_no_other_addresses(server: LiveServer, path: str) -> None:
    connection = socket.create_connection(("127.0.0.1", server.server_port), timeout=120)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode())
    answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert re.match(rb"HTTP/1.0 40[04] ", answer)
    assert b"plan" not in answer


FOREIGN = ("", "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.evil.example")


@pytest.mark.parametrize("host", FOREIGN)
def test_foreign_names_are_refused(server: LiveServer, host: str) -> None:
    status, _, text = ask(server, host=host.format(port=server.server_port))
    assert status == 403
    assert "aide" not in text


def test_localhost_is_accepted(server: LiveServer) -> None:
    assert ask(server, host=f"LOCALHOST:{server.server_port}")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_only_reading_is_allowed(server: LiveServer, method: str) -> None:
    status, headers, _ = ask(server, method=method)
    assert (status, headers["Allow"]) == (405, "GET, HEAD")


def test_head_has_no_body(server: LiveServer) -> None:
    status, headers, text = ask(server, method="HEAD")
    assert (status, text) == (200, "")
    assert int(headers["Content-Length"]) > 1000


def test_other_sites_cannot_read_it(server: LiveServer) -> None:
    _, headers, _ = ask(server)
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_it_listens_on_the_loopback_interface_alone(server: LiveServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.url == f"http://127.0.0.1:{server.server_port}/"
