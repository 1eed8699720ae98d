"""Requests to the submission check, and their responses."""

from __future__ import annotations

import hashlib
import json
import socket

import pytest

from .conftest import ask, form


def test_the_server_tells_that_it_is_running(server):
    assert ask(server, "GET", "/health") == (200, b'{"status":"running"}\n')


def test_a_file_is_checked_recorded_and_deleted(server, checker, events):
    content = bytes(range(256)) * 100
    status, answer = ask(server, "POST", "/validate", *form(content))
    assert (status, json.loads(answer)) == (200, {"result": "Submission is valid: 25600 “bytes”"})
    assert answer.startswith(b'{"result":"Submission') and answer.endswith(b'"}\n')
    (path,) = checker.paths
    assert path.suffix == ".csv"
    assert not path.exists()
    kind, facts = events[0]
    assert kind == "check"
    assert facts == {
        "size": 25600,
        "sha256": hashlib.sha256(content).hexdigest(),
        "status": 200,
        "answer": "Submission is valid: 25600 “bytes”",
    }


def test_a_failure_of_the_check_does_not_reach_the_agent(server, events, checker, caplog):
    status, answer = ask(server, "POST", "/validate", *form(b"bug"))
    assert status == 500
    assert "answers" not in answer.decode()
    assert set(json.loads(answer)) == {"error"}
    assert "answers.csv" in events[0][1]["fault"]
    assert not checker.paths[0].exists()


def test_a_check_that_exceeds_its_bounds_is_recorded(server, events):
    assert ask(server, "POST", "/validate", *form(b"exceeded"))[0] == 200
    assert events[0][1]["exceeded"] is True


def test_a_client_that_asks_first_gets_the_permission_when_it_is_its_turn(server, checker):
    content, headers = form(b"x")
    lines = [f"{name}: {value}" for name, value in {**headers, "Content-Length": len(content)}.items()]
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(120)
        connection.connect(str(server.socket_path))
        with server._service.turn:
            head = ["POST /validate HTTP/1.1", *lines, "Expect: 100-continue", "", ""]
            connection.sendall("\r\n".join(head).encode())
            assert ask(server, "GET", "/health")[0] == 200
            connection.setblocking(False)
            with pytest.raises(BlockingIOError):
                connection.recv(1000)
            connection.settimeout(120)
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(content)
        assert b"HTTP/1.1 200 OK" in connection.recv(1000)


@pytest.mark.parametrize("length", ["1000001", "x"])
def test_a_client_that_asks_first_is_refused_before_it_sends(server, length):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(120)
        connection.connect(str(server.socket_path))
        head = f"POST /validate HTTP/1.1\r\nContent-Length: {length}\r\nExpect: 100-continue\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status"),
    [
        ("GET", "/", None, {}, 404),
        ("GET", "/validate", None, {}, 405),
        ("POST", "/other", b"x", {}, 404),
        ("DELETE", "/validate", None, {}, 501),
        ("POST", "/validate", b"x", {"Content-Type": "text/csv"}, 400),
        ("POST", "/validate", *form(b"x", "upload"), 400),
        ("POST", "/validate", b"", {"Content-Length": "many"}, 400),
        ("POST", "/validate", b"", {"Content-Length": "-1"}, 400),
        ("POST", "/validate", iter([b"x"]), {"Transfer-Encoding": "chunked"}, 411),
        ("POST", "/validate", b"", {"Content-Length": "9" * 30}, 413),
        ("POST", "/validate", bytes(500_000), {"Content-Length": "1000001"}, 413),
    ],
)
def test_invalid_requests_are_refused(server, method, path, content, headers, status, checker):
    answer = ask(server, method, path, content, headers)
    assert answer[0] == status
    assert not checker.paths
    assert ask(server, "GET", "/health")[0] == 200
