"""The server of one run."""

from __future__ import annotations

import json
import socket

from mlebench.gateway.models import server as server_module
from mlebench.gateway.scripted import Reply

from ...waiting import wait_until
from .raw_http import post, status_of


def test_stopping_the_server_cancels_the_calls_in_flight(rig, tmp_path):
    server = rig.serve([Reply("x" * 800, pause=0.2)])
    gateway = rig.gateway(rig.config(server))
    log = tmp_path / "log"
    with gateway.serve_run(tmp_path / "s", run_id="r", events=lambda *_, **__: None, log=log) as model_server:
        body = json.dumps({"model": "gpt", "messages": [], "stream": True}).encode()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(model_server.socket_path))
            connection.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
            )
            connection.sendall(body)
            assert connection.recv(100)
            model_server.__exit__()
            connection.settimeout(60)
            while connection.recv(65536):
                pass
        model_server.__enter__()
    (line,) = log.read_text().splitlines()
    assert json.loads(line)["detail"] == "The run ended."
    assert model_server.usage().total.requests == 1


def test_connections_above_the_limit_are_refused(rig):
    _, run = rig(["fine"])
    held = []
    for _ in range(server_module.MAX_CONNECTIONS):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(run.model_server.socket_path))
        held.append(client)
    assert status_of(run.raw(post())) == 503
    for client in held:
        client.close()
    assert wait_until(lambda: status_of(run.raw(post())) == 200)
