"""What an agent may try at the door: other places, other hosts, broken HTTP, bombs, and the provider's own tools."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time

import openai
import pytest

from mlebench.gateway.models import connection as http_connection
from mlebench.gateway.models import handler
from mlebench.gateway.models import server as server_module
from mlebench.gateway.scripted import Reply

from .conftest import KEY

BODY = json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "Hi"}]}).encode()
CHAT = "/v1/chat/completions"


def post(path=CHAT, body=BODY, headers="", length=None):
    length = len(body) if length is None else length
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n"
    return head.encode("latin-1") + body


def status_of(answer):
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/v1", "/v1/files", "/v1/fine_tuning/jobs", "/v1/organization/users", "/admin", "/v1/messages/batches"),
        *("/v1/../v1/files", "/v1/chat/completions/../../files", "/v1/chat/completions/", "//v1/chat/completions"),
        *("/v1/chat/completions%2f..%2ffiles", "/v1/chat/completions;a", "/v1/chat/completions#a", "/V1/models"),
        *("http://169.254.169.254/latest/meta-data", "http://evil.example/v1/chat/completions", "*", "/v1/models/x"),
    ],
)
def test_other_paths(rig, path):
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
    ],
)
def test_other_methods(rig, method, path, status):
    server, run = rig(["no"])
    answer = run.raw(f"{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    assert status_of(answer) == status
    assert not server.requests


def test_agent_s_headers_stay_behind(rig):
    server, run = rig([Reply("1")])
    sent = {
        "Host": "evil.example",
        "Authorization": "Bearer of-the-agent",
        "X-Api-Key": "of-the-agent",
        "OpenAI-Organization": "other",
        "OpenAI-Project": "other",
        "Cookie": "a=b",
        "X-Forwarded-For": "1.2.3.4",
        "Proxy-Authorization": "x",
        "Connection": "close, authorization",
        "Upgrade": "websocket",
        "Accept-Encoding": "br",
        "OpenAI-Beta": "kept",
        "Anthropic-Beta": "\xe9",
    }
    headers = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    data = f"POST {CHAT}?x=y HTTP/1.1\r\n{headers}Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY
    assert status_of(run.raw(data)) == 200
    (asked,) = server.requests
    assert asked.headers["host"] == server.url.removeprefix("http://")
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["openai-beta"] == "kept"
    assert asked.headers["accept-encoding"] == "identity"
    assert not {"cookie", "x-api-key", "openai-organization", "openai-project", "x-forwarded-for", "upgrade"} & set(
        asked.headers
    )
    assert asked.path == CHAT


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
def test_broken_http(rig, data):
    server, run = rig(["fine"])
    answer = run.raw(data)
    assert 400 <= status_of(answer) < 600
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"error"' in answer
    assert not server.requests
    assert run.chat()


def test_a_request_hidden_in_a_body_is_not_seen(rig):
    server, run = rig([Reply("1")] * 3)
    hidden = post("/v1/files")
    answer = run.raw(post(body=BODY[:-1] + b" " * 10 + b"}").replace(b"Connection: close\r\n", b"") + hidden)
    assert answer.count(b"HTTP/1.1 ") == 2
    assert answer.count(b"HTTP/1.1 404") == 1
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"gpt"',
        b"\xff\xfe",
        b'{"model": 5}',
        b'{"model": ""}',
        b'{"model": "\\ud800"}',
        b'{"model": "gpt", "stream": 1}',
        b"{}",
        b'{"model": "gpt", "x": NaN}',
        b'{"model": "gpt", "x": 1e999}',
        b'{"model": "gpt", "x": ' + b"9" * 5000 + b"}",
        b'{"model": "gpt", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"model": "gpt", "x": [' + b"[]," * 1_100_000 + b"[]]}",
        b'{"model": "gpt", "background": true, "input": "x"}',
    ],
    ids=range(16),
)
def test_bodies_that_are_no_requests(rig, body):
    server, run = rig(["fine"])
    answer = run.raw(post(body=body))
    assert status_of(answer) == 400
    assert not server.requests
    assert run.chat()


def test_odd_text_passes(rig):
    """Half a character, which JSON may hold and UTF-8 may not; two fields of one name, of which the last counts."""
    server, run = rig([Reply("1"), Reply("2")])
    body = b'{"model": "other", "model": "gpt", "messages": [{"role": "user", "content": "\\ud800 \\u0000 \xc3\xa9"}]}'
    assert status_of(run.raw(post(body=body))) == 200
    assert server.requests[0].body["model"] == "gpt-upstream"
    assert server.requests[0].text == "\ud800 \0 é"
    assert run.calls()[0].request.text


def test_large_bodies(rig, monkeypatch):
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


def test_chunked_bodies_expectations_and_one_connection_for_many(rig):
    server, run = rig([Reply("1"), Reply("2"), Reply("3")])
    connection = http.client.HTTPConnection(run.url.removeprefix("http://"), timeout=10)
    for _ in range(2):
        connection.request("POST", CHAT, iter([BODY[:10], BODY[10:]]))
        response = connection.getresponse()
        assert response.status == 200
        assert json.loads(response.read())["choices"]
    connection.close()
    with socket.socket(socket.AF_UNIX) as raw:
        raw.settimeout(10)
        raw.connect(str(run.model_server.socket_path))
        raw.sendall(post(headers="Expect: 100-continue\r\n", body=b"", length=len(BODY)))
        assert raw.recv(1000).startswith(b"HTTP/1.1 100 ")
        raw.sendall(BODY)
        assert raw.recv(1000).startswith(b"HTTP/1.1 200 ")
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("path", "more"),
    [
        (CHAT, {"web_search_options": {}, "tools": [{"type": "web_search"}]}),
        (CHAT, {"web_search_options": {"search_context_size": "low"}}),
        (
            CHAT,
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://a/b"}}]}]},
        ),
        ("/v1/responses", {"tools": [{"type": "web_search_preview"}]}),
        ("/v1/responses", {"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]}),
        ("/v1/responses", {"tools": [{"type": "mcp", "server_url": "https://a"}]}),
        ("/v1/responses", {"tools": [{"type": "shell", "environment": {"type": "container_auto"}}]}),
        ("/v1/responses", {"input": [{"role": "user", "content": [{"type": "input_file", "file_url": "HTTPS://a"}]}]}),
        ("/v1/responses", {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "//a"}]}]}),
        ("/v1/messages", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
        ("/v1/messages", {"tools": [{"type": "code_execution_20250522", "name": "code_execution"}]}),
        ("/v1/messages", {"mcp_servers": [{"type": "url", "url": "https://a"}]}),
        (
            "/v1/messages",
            {
                "messages": [
                    {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://a"}}]}
                ]
            },
        ),
    ],
)
def test_the_provider_is_no_way_out(rig, path, more):
    server, run = rig([Reply("1")])
    model = "claude" if path == "/v1/messages" else "gpt"
    body = json.dumps({"model": model, "messages": [], **more}).encode()
    answer = run.raw(post(path, body))
    assert (status_of(answer), b"The provider may only run the model" in answer) == (403, True)
    assert not server.requests
    server, run = rig([Reply("1")], hosted_tools=True)
    assert status_of(run.raw(post(path, body))) == 200


def test_tools_and_pictures_of_the_agent_s_own_pass(rig):
    server, run = rig([Reply("1")] * 3)
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"url": "https://a"}'}}
    tool = {"type": "function", "function": {"name": "f", "parameters": {"properties": {"url": {"type": "string"}}}}}
    messages = [
        {"role": "user", "content": [picture, {"type": "text", "text": "see http://a/b"}]},
        {"role": "assistant", "tool_calls": [call]},
    ]
    run.openai().chat.completions.create(model="gpt", messages=messages, tools=[tool])
    used = {"type": "tool_use", "id": "1", "name": "f", "input": {"url": "https://a"}}
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": [used]}]
    tools = [{"name": "f", "input_schema": {"type": "object"}}, {"type": "bash_20250124", "name": "bash"}]
    run.anthropic().messages.create(model="claude", max_tokens=9, messages=messages, tools=tools)
    assert len(server.requests) == 2


def test_slow_senders(rig):
    server = rig.serve(["fine"])
    run = rig.open(rig.gateway(rig.config(server)))
    run.model_server._idle_seconds = 0.5
    for data in (b"POST /v1/ch", post(body=BODY[:5], length=500)):
        began = time.monotonic()
        assert status_of(run.raw(data)) == 408
        assert time.monotonic() - began < 8
    with socket.socket(socket.AF_UNIX) as trickle:
        trickle.connect(str(run.model_server.socket_path))
        trickle.settimeout(0.1)
        trickle.sendall(b"GET / HTTP/1.1\r\n")
        answer = b""
        for number in range(100):
            try:
                trickle.sendall(b"X-%d: y\r\n" % number)
                answer += trickle.recv(1000)
            except TimeoutError:
                continue
            except OSError:
                break
            if answer:
                break
    assert b" 408 " in answer
    assert run.chat()


def test_too_many_connections(rig):
    _, run = rig(["fine"])
    held = []
    for _ in range(server_module.MAX_CONNECTIONS):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(run.model_server.socket_path))
        held.append(client)
    assert status_of(run.raw(post())) == 503
    for client in held:
        client.close()
    time.sleep(0.3)
    assert run.chat()


def test_floods_of_refused_requests_fill_no_disk(rig, monkeypatch):
    from mlebench.gateway.models import call_log

    monkeypatch.setattr(call_log, "MAX_FREE_CALLS", 5)
    monkeypatch.setattr(call_log, "MAX_FREE_CALLS_WITH_BODIES", 2)
    _, run = rig([])
    for _ in range(20):
        run.raw(post(body=json.dumps({"model": "none", "messages": ["x" * 10_000]}).encode()))
    assert len(run.calls()) == len(run.told) == 5
    assert run.model_server.usage().refused == 20
    assert [call.request.truncated for call in run.calls()] == [False, False, True, True, True]
    assert all(len(call.request.text) == 4096 for call in run.calls()[2:])


def test_one_agent_s_flood_does_not_stop_another(rig):
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


def test_the_key_is_nowhere(rig, tmp_path, caplog):
    server = rig.serve([Reply("1"), Reply("2"), Reply(status=500), Reply(status=500), Reply(status=500)])
    recording = tmp_path / "recording"
    with caplog.at_level("DEBUG"):
        run = rig.open(rig.gateway(rig.config(server), mode="record", recording=recording))
        run.chat()
        list(run.chat(stream=True))
        with pytest.raises(openai.InternalServerError):
            run.chat()
    assert KEY in str([asked.headers for asked in server.requests])
    for text in (run.log.read_text(), recording.read_text(), str(run.told), caplog.text, repr(run.model_server)):
        assert KEY not in text
