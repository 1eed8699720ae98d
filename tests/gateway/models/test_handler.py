"""Paths and methods, and floods of requests."""

from __future__ import annotations

import re
import threading

import pytest

from mlebench.gateway.scripted import Reply

from .raw_http import CHAT, post, status_of


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/v1", "/v1/files", "/v1/fine_tuning/jobs", "/v1/organization/users", "/admin", "/v1/messages/batches"),
        *("/v1/../v1/files", "/v1/chat/completions/../../files", "/v1/chat/completions/", "//v1/chat/completions"),
        *("/v1/chat/completions%2f..%2ffiles", "/v1/chat/completions;a", "/v1/chat/completions#a", "/V1/models"),
        *("http://169.254.169.254/latest/meta-data", "http://evil.example/v1/chat/completions", "*", "/v1/models/x"),
    ],
)
def test_other_paths_are_not_found(rig, path):
    server, run = rig(["no"])
    assert status_of(run.raw(post(path))) == 404
    assert not server.requests
    assert run.chat()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", CHAT, 405),
        ("PUT", CHAT, 405),
        ("DELETE", "/v1/models", 404),
        ("CONNECT", "evil.example:443", 404),
        ("OPTIONS", "*", 404),
        ("TRACE", CHAT, 405),
        ("HEAD", CHAT, 405),
        ("HEAD", "/v1/models", 404),
    ],
)
def test_other_methods_are_refused(rig, method, path, status):
    server, run = rig(["no"])
    response = run.raw(f"{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    assert status_of(response) == status
    assert (b'"error"' in response) == (method != "HEAD")
    assert not server.requests


HEAD = f"HEAD {CHAT} HTTP/1.1\r\nHost: a\r\n".encode()


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        (HEAD + b"\r\nthis is no request\r\n\r\n", [405]),
        (HEAD + b"\r\n" + post("/x"), [405]),
        (HEAD + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
    ],
)
def test_a_request_for_the_head_gets_one_answer_without_a_body(rig, caplog, sent, answers):
    _, run = rig(["no"])
    response = run.raw(sent, end=True)
    assert [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3})", response)] == answers
    assert b'"error"' not in response
    assert "The model gateway failed" not in caplog.text


def test_a_flood_from_one_run_does_not_stop_another(rig):
    server = rig.serve(lambda asked: Reply("fine"))
    gateway = rig.gateway(rig.config(server))
    bad, good = rig.open(gateway, "bad"), rig.open(gateway, "good")
    bomb = post(body=b'{"model": "gpt", "messages": [' + b'"x",' * 2_000_000 + b'"x"]}')
    threads = [threading.Thread(target=bad.raw, args=(bomb,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        assert good.chat().choices[0].message.content == "fine"
    for thread in threads:
        thread.join()
