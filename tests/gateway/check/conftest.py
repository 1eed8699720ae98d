"""A submission check that serves, and a client of its socket."""

from __future__ import annotations

import http.client
import socket
import threading
from contextlib import ExitStack

import pytest

from mlebench.gateway.check import CheckServer
from mlebench.gateway.check.quota import CheckLimits
from mlebench.grading.pool import CheckResult
from mlebench.ground.turns import Turns


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.path)


def ask(server, method, path, content=None, headers=None):
    connection = Connection(server.socket_path)
    try:
        connection.request(method, path, content, headers or {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def ask_for_headers(server, *arguments):
    """Return the status and the headers of a response."""
    connection = Connection(server.socket_path)
    try:
        connection.request(*arguments)
        response = connection.getresponse()
        return response.status, response.headers
    finally:
        connection.close()


def form(content, name="file"):
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="s.csv"\r\n\r\n'.encode()
    return head + content + b"\r\n--b--\r\n", {"Content-Type": "multipart/form-data; boundary=b"}


class Checker:
    """A check that reports the size of a file; a file `hold` is checked until `release` is set."""

    def __init__(self):
        self.paths = []
        self.seconds = 0.0
        self.held = 0
        self.max_held = 0
        self.release = threading.Event()
        self.lock = threading.Lock()

    def __call__(self, path):
        self.paths.append(path)
        text = path.read_bytes()
        if text == b"bug":
            raise KeyError("answers.csv")
        if text == b"hold":
            with self.lock:
                self.held += 1
                self.max_held = max(self.max_held, self.held)
            self.release.wait(120)
            with self.lock:
                self.held -= 1
        message = f"Submission is valid: {len(text)} “bytes”"
        return CheckResult(message, exceeded=text == b"exceeded", cpu_seconds=self.seconds)


@pytest.fixture
def events():
    """The events that the server records, as (kind, facts)."""
    return []


@pytest.fixture
def checker():
    return Checker()


@pytest.fixture
def idle_seconds():
    """How long the server waits for a silent client; a module with slow clients has a fixture of its own."""
    return 60


@pytest.fixture
def limits():
    """What all checks of a run may use."""
    return CheckLimits()


@pytest.fixture
def space():
    """The bytes of uploads that all servers of a test share."""
    return Turns(40 * 1024**2)


@pytest.fixture
def make_server(tmp_path, checker, events, idle_seconds, space, limits):
    """A function that makes the server of another run."""

    def record(kind, /, **facts):
        events.append((kind, facts))

    def make(name):
        return CheckServer(
            tmp_path / f"{name}.sock",
            checker,
            events=record,
            max_bytes=1_000_000,
            space=space,
            limits=limits,
            idle_seconds=idle_seconds,
        )

    return make


@pytest.fixture
def open_server(make_server, checker):
    """A function that opens the server of another run."""
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(make_server(name))
        checker.release.set()


@pytest.fixture
def server(open_server):
    return open_server("v")
