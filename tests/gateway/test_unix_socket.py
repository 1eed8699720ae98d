"""Where the sockets of servers are, and what killed harnesses leave."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from mlebench.gateway.check import CheckServer
from mlebench.ground.turns import Turns
from mlebench.sandbox.tokens import new_token

from .check.conftest import ask


def serve(path):
    return CheckServer(path, lambda _: "", events=lambda *_, **__: None, max_bytes=1000, space=Turns(1000))


def test_a_path_that_is_too_long_is_replaced_by_a_short_one(tmp_path):
    long = tmp_path / ("x" * 100) / "v.sock"
    long.parent.mkdir()
    with serve(long) as server:
        assert server.socket_path != long
        assert len(os.fsencode(server.socket_path)) <= 107
        assert ask(server, "GET", "/health")[0] == 200
        short = server.socket_path
    assert not short.parent.exists()


def test_the_short_folder_of_a_killed_harness_is_removed(tmp_path):
    namespace = new_token().split("-")[0]
    stale = Path(f"/tmp/mlebench-{namespace}-{os.getpid()}-1-test")
    stale.mkdir()
    with serve(tmp_path / ("x" * 100)):
        assert not stale.exists()


def test_the_socket_of_a_killed_harness_is_replaced(tmp_path):
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(tmp_path / "v.sock"))
    with serve(tmp_path / "v.sock") as server:
        assert ask(server, "GET", "/health")[0] == 200
        assert server.socket_path.stat().st_mode & 0o777 == 0o666
