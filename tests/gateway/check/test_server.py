"""Limits on checks and connections at the same time."""

from __future__ import annotations

import socket
import threading

from ...waiting import wait_until
from .conftest import ask, form


def test_two_checks_run_at_the_same_time(server, checker):
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(ask(server, "POST", "/validate", *form(b"slow"))[0]))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 5
    assert checker.most == 2


def test_connections_above_the_limit_are_refused(server):
    held = []
    for _ in range(20):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        connection.connect(str(server.socket_path))
        held.append(connection)
    assert b" 503 " in held[-1].recv(1000)
    for connection in held:
        connection.close()
    assert wait_until(lambda: ask(server, "GET", "/health")[0] == 200)
