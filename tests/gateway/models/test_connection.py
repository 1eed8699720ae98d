"""HTTP that is malformed, too large or too slow."""

from __future__ import annotations

import http.client
import json
import socket

import openai
import pytest

from mlebench.gateway.models import connection as http_connection
from mlebench.gateway.models import handler
from mlebench.gateway.scripted import Reply

from .raw_http import BODY, CHAT, post, status_of


@pytest.mark.parametrize(
    "data",
    [
        post(headers="Content-Length: 5\r\n"),
        post(headers="Transfer-Encoding: chunked\r\n"),
        post(headers="Transfer-Encoding: xchunked\r\n"),
        post(headers="Transfer-Encoding: chunked, identity\r\n"),
        post(headers="Transfer-Encoding : chunked\r\n"),
        post(length="+5"),
        post(length="-1"),
        post(length="0x10"),
        post(length="5, 6"),
        post(headers="A b: c\r\n"),
        post(headers="a: b\0c\r\n"),
        post(headers="a: b\rc: d\r\n"),
        post(headers="".join(f"X-{n}: {'y' * 100}\r\n" for n in range(1000))),
        post(headers=f"X: {'y' * 100_000}\r\n"),
        post(path="/" + "x" * 100_000),
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00" * 10 + b"\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST " + CHAT.encode() + b" HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
        b"POST " + CHAT.encode() + b" HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n",
        b"POST " + CHAT.encode() + b" HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_malformed_http_is_refused(rig, data):
    server, run = rig(["fine"])
    response = run.raw(data)
    assert 400 <= status_of(response) < 600
    assert response.count(b"HTTP/1.1 ") == 1
    assert b'"error"' in response
    assert not server.requests
    assert run.chat()


def test_a_second_request_in_one_packet_is_a_request_of_its_own(rig):
    server, run = rig([Reply("1")] * 3)
    hidden = post("/v1/files")
    response = run.raw(post(body=BODY[:-1] + b" " * 10 + b"}").replace(b"Connection: close\r\n", b"") + hidden)
    assert response.count(b"HTTP/1.1 ") == 2
    assert response.count(b"HTTP/1.1 404") == 1
    assert len(server.requests) == 1


def test_bodies_above_the_limits_are_refused(rig, monkeypatch):
    server, run = rig([Reply("1"), Reply("2")])
    run.chat("x" * 5_000_000)
    assert len(server.requests[0].text) == 5_000_000
    assert run.calls()[0].request.truncated
    monkeypatch.setattr(http_connection, "MAX_BODY_BYTES", 1_000_000)
    with pytest.raises(openai.APIStatusError) as caught:
        run.chat("x" * 1_100_000)
    assert caught.value.status_code == 413
    chunked = b"POST " + CHAT.encode() + b" HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert status_of(run.raw(chunked + (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 20)) == 413
    monkeypatch.setattr(http_connection, "MAX_BODY_BYTES", 10_000_000)
    monkeypatch.setattr(handler, "MAX_PENDING_BYTES", 1_000_000)
    assert status_of(run.raw(post(body=b"x" * 2_000_000))) == 503
    assert run.chat()


def test_chunked_bodies_keep_alive_and_100_continue_work(rig):
    server, run = rig([Reply("1"), Reply("2"), Reply("3")])
    connection = http.client.HTTPConnection(run.url.removeprefix("http://"), timeout=60)
    for _ in range(2):
        connection.request("POST", CHAT, iter([BODY[:10], BODY[10:]]))
        response = connection.getresponse()
        assert response.status == 200
        assert json.loads(response.read())["choices"]
    connection.close()
    with socket.socket(socket.AF_UNIX) as raw:
        raw.settimeout(60)
        raw.connect(str(run.model_server.socket_path))
        raw.sendall(post(headers="Expect: 100-continue\r\n", body=b"", length=len(BODY)))
        assert raw.recv(1000).startswith(b"HTTP/1.1 100 ")
        raw.sendall(BODY)
        assert raw.recv(1000).startswith(b"HTTP/1.1 200 ")
    assert len(server.requests) == 3


def test_slow_clients_time_out(rig):
    server = rig.serve(["fine"])
    run = rig.open(rig.gateway(rig.config(server)))
    run.model_server._idle_seconds = 0.5
    for data in (b"POST /v1/ch", post(body=BODY[:5], length=500)):
        assert status_of(run.raw(data)) == 408
    with socket.socket(socket.AF_UNIX) as trickle:
        trickle.connect(str(run.model_server.socket_path))
        trickle.settimeout(0.1)
        trickle.sendall(b"GET / HTTP/1.1\r\n")
        response = b""
        for number in range(1000):
            try:
                trickle.sendall(b"X-%d: y\r\n" % number)
                response += trickle.recv(1000)
            except TimeoutError:
                continue
            except OSError:
                break
            if response:
                break
    assert b" 408 " in response
    assert run.chat()
