"""Turns of requests and runs, and limits on connections."""

from __future__ import annotations

import http.client
import socket
import threading
from contextlib import suppress

import pytest

from mlebench.gateway.check.server import MAX_CONNECTIONS
from mlebench.ground.turns import Turns

from ...waiting import wait_until
from .conftest import ask, form

MiB = 1024**2


class Client:
    """A request in a thread."""

    def __init__(self, server, content):
        self.status = None
        self.thread = threading.Thread(target=self._ask, args=(server, content), daemon=True)
        self.thread.start()

    def _ask(self, server, content):
        with suppress(http.client.HTTPException, OSError):
            self.status = ask(server, "POST", "/validate", *form(content))[0]

    def result(self):
        self.thread.join(120)
        return self.status


def test_a_run_gets_one_check_at_a_time_and_another_run_is_served_meanwhile(open_server, checker):
    busy, other = open_server("busy"), open_server("other")
    clients = [Client(busy, b"hold") for _ in range(4)]
    assert wait_until(lambda: checker.held)
    assert Client(other, b"x").result() == 200
    checker.release.set()
    assert [client.result() for client in clients] == [200] * 4
    assert checker.max_held == 1


def test_a_run_has_one_request_in_the_line_of_all_runs(open_server, space):
    """So a run with many requests does not come twice before one that waits."""
    greedy, modest = open_server("greedy"), open_server("modest")
    with space.take(space.amount):
        clients = [Client(greedy, b"x") for _ in range(4)]
        assert wait_until(lambda: space.waiting == 1)
        clients.append(Client(modest, b"x"))
        assert wait_until(lambda: space.waiting == 2)
        assert wait_until(lambda: threads_of(greedy) == 4)
        assert space.waiting == 2
    assert [client.result() for client in clients] == [200] * 5


def threads_of(server):
    """Return how many connections of a server are open."""
    return MAX_CONNECTIONS - server._server._connection_slots._value


@pytest.mark.parametrize("space", [Turns(4 * MiB)])
def test_an_upload_is_received_when_there_is_space_for_it(open_server, checker, space, tmp_path):
    holders = [Client(open_server(f"run-{number}"), b"hold") for number in range(4)]
    assert wait_until(lambda: checker.held == 4)
    assert space.taken == 4 * MiB
    waiting = Client(open_server("waiting"), bytes(900_000))
    assert wait_until(lambda: space.waiting == 1)
    assert len(list(tmp_path.glob("upload-*"))) == 4
    checker.release.set()
    assert [client.result() for client in [*holders, waiting]] == [200] * 5
    assert wait_until(lambda: space.taken == 0)
    assert not list(tmp_path.glob("upload-*"))


def test_a_very_large_upload_leaves_space_for_others(open_server, checker, space):
    space.amount = 100
    Client(open_server("large"), b"hold")
    assert wait_until(lambda: checker.held)
    assert space.taken == 25
    checker.release.set()


def test_connections_above_the_limit_are_refused(server):
    held = []
    for _ in range(20):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        connection.connect(str(server.socket_path))
        held.append(connection)
    response = held[-1].recv(1000)
    assert b" 503 " in response
    assert b"Retry-After: 1\r\n" in response
    for connection in held:
        connection.close()
    assert wait_until(lambda: ask(server, "GET", "/health")[0] == 200)


def test_a_request_that_waits_when_the_run_ends_is_dropped(make_server, checker):
    with make_server("short") as server:
        clients = [Client(server, b"hold"), Client(server, b"hold")]
        assert wait_until(lambda: checker.held and threads_of(server) == 2)
    checker.release.set()
    assert [client.result() for client in clients].count(None) == 1
    assert len(checker.paths) == 1
