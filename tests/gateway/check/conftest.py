"""A submission check that serves, and a client of its socket."""

from __future__ import annotations

import http.client
import socket
import threading
import time

import pytest

from mlebench.gateway.check import CheckServer


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


def form(content, name="file"):
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="s.csv"\r\n\r\n'.encode()
    return head + content + b"\r\n--b--\r\n", {"Content-Type": "multipart/form-data; boundary=b"}


class Checker:
    def __init__(self):
        self.paths = []
        self.at_once = self.most = 0
        self.lock = threading.Lock()
        self.overlap = threading.Event()

    def __call__(self, path):
        self.paths.append(path)
        text = path.read_bytes()
        if text == b"bug":
            raise KeyError("answers.csv")
        if text == b"slow":
            with self.lock:
                self.at_once += 1
                self.most = max(self.most, self.at_once)
                if self.at_once > 1:
                    self.overlap.set()
            self.overlap.wait(60)
            time.sleep(0.2)
            with self.lock:
                self.at_once -= 1
        return f"Submission is valid: {len(text)} “bytes”"


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
def server(tmp_path, checker, events, idle_seconds):
    def record(kind, /, **facts):
        events.append((kind, facts))

    server = CheckServer(tmp_path / "v.sock", checker, events=record, max_bytes=1_000_000, idle_seconds=idle_seconds)
    with server:
        yield server
