"""Uploads that are cut or slow."""

from __future__ import annotations

import socket
import time

import pytest

from .conftest import form


@pytest.fixture
def idle_seconds():
    return 0.5


def test_a_truncated_upload_is_refused(server, checker, events):
    content, headers = form(b"x" * 1000)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket_path))
        head = f"POST /validate HTTP/1.1\r\nContent-Type: {headers['Content-Type']}\r\n"
        connection.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content[:500])
        connection.shutdown(socket.SHUT_WR)
        assert b" 400 " in connection.recv(1000)
    assert not checker.paths
    assert events[0][1]["status"] == 400


def test_a_silent_client_times_out(server, events):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket_path))
        connection.sendall(b"POST /validate HTTP/1.1\r\nContent-Length: 50\r\n")
        connection.sendall(b"Content-Type: multipart/form-data; boundary=b\r\n\r\n--b")
        connection.settimeout(60)
        assert b" 408 " in connection.recv(1000)
    assert events[0][1]["status"] == 408


def test_a_client_that_sends_single_bytes_times_out(server):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket_path))
        connection.sendall(b"POST /validate HTTP/1.1\r\nContent-Length: 5000\r\n")
        connection.sendall(b"Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n")
        began = time.monotonic()
        connection.settimeout(0.1)
        answer = b""
        while time.monotonic() - began < 60 and not answer:
            connection.sendall(b"x")
            try:
                answer = connection.recv(1000)
            except TimeoutError:
                continue
    assert b" 408 " in answer
