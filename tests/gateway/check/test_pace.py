"""A run cannot keep the harness busy with requests that check nothing."""

from __future__ import annotations

import socket
import threading

import pytest

from mlebench.gateway.check.pace import CONNECTION_SECONDS, SAVED_SECONDS, SHARE, Pace

from ...waiting import wait_until
from .conftest import ask, form


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_connections_of_a_day_get_their_share_of_one_core():
    clock, used = Clock(), 0.0
    pace = Pace(threading.Event(), clock=clock)
    for _ in range(10_000):
        pace.charge(0.01)
        used += 0.01
        clock.now += pace.delay
    assert clock.now > 0
    assert used <= SAVED_SECONDS + 0.01 + SHARE * clock.now


def test_few_connections_are_not_delayed():
    clock = Clock()
    pace = Pace(threading.Event(), clock=clock)
    for _ in range(100_000):
        clock.now += 0.1
        assert pace.delay == 0
        pace.charge(0.001)


def test_waiting_ends_with_the_run():
    closing = threading.Event()
    pace = Pace(closing)
    pace.charge(10**6)
    thread = threading.Thread(target=pace.wait)
    thread.start()
    closing.set()
    thread.join(120)
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status"),
    [
        ("GET", "/health", None, {}, 200),
        ("GET", "/" + "x" * 60_000, None, {}, 404),
        ("GET", "/health", None, {f"X-{number}": "x" * 60_000 for number in range(90)}, 200),
        ("POST", "/other", bytes(900_000), {}, 404),
        ("POST", "/validate", bytes(500_000), {"Content-Length": "1000001"}, 413),
        ("POST", "/validate", *form(b"x", "upload"), 400),
        ("BREW", "/", None, {}, 501),
    ],
)
def test_every_request_is_charged(server, method, path, content, headers, status):
    pace = server._service.pace
    pace._refill = lambda: None
    saved = pace._saved
    assert ask(server, method, path, content, headers)[0] == status
    assert wait_until(lambda: pace._saved <= saved - CONNECTION_SECONDS)


def test_a_run_above_its_share_waits_and_its_server_still_closes(make_server):
    with make_server("greedy") as server:
        server._service.pace.charge(10**6)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(server.socket_path))
            connection.sendall(b"GET /health HTTP/1.1\r\n\r\n")
            connection.settimeout(0.3)
            with pytest.raises(TimeoutError):
                connection.recv(1000)
