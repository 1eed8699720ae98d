"""Port forwards carry both directions of a connection to a Unix socket."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

from mlebench.sandbox.entrypoint.forwarding import listen, serve


@pytest.fixture
def forward(tmp_path):
    """A server on a Unix socket, and the listener of a port that leads to it."""
    with socket.socket(socket.AF_UNIX) as server, listen(0, any_port=False) as listener:
        server.bind(str(tmp_path / "s"))
        server.listen()
        threading.Thread(target=_serve, args=(listener, str(tmp_path / "s")), daemon=True).start()
        yield server, listener
        listener.shutdown(socket.SHUT_RDWR)


def _serve(listener, path):
    with suppress(OSError):
        serve(listener, path)


def connect(listener):
    return socket.create_connection(listener.getsockname(), timeout=60)


def read_all(connection):
    return b"".join(iter(lambda: connection.recv(65536), b""))


def test_a_taken_port_is_an_error_unless_any_port_will_do():
    with listen(0, any_port=False) as first:
        port = first.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            listen(port, any_port=False)
        with listen(port, any_port=True) as second:
            assert second.getsockname()[1] != port


def test_the_end_of_a_request_is_passed_on_before_the_response(forward):
    server, listener = forward
    with connect(listener) as client:
        client.sendall(b"request")
        client.shutdown(socket.SHUT_WR)
        served, _ = server.accept()
        with served:
            assert read_all(served) == b"request"
            served.sendall(b"response")
        assert read_all(client) == b"response"


def test_a_response_arrives_though_the_server_stops_reading(forward):
    server, listener = forward
    with connect(listener) as client:
        served, _ = server.accept()
        with served:
            served.shutdown(socket.SHUT_RD)
            served.sendall(b"too large")
        client.sendall(bytes(1000))
        client.shutdown(socket.SHUT_WR)
        assert read_all(client) == b"too large"


def test_a_connection_is_closed_if_no_server_is_there(tmp_path):
    with listen(0, any_port=False) as listener:
        threading.Thread(target=_serve, args=(listener, str(tmp_path / "nothing")), daemon=True).start()
        with connect(listener) as client:
            assert read_all(client) == b""
        listener.shutdown(socket.SHUT_RDWR)
