"""Calls that end early, and many calls at once."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from mlebench.gateway.models import connection as http_connection
from mlebench.gateway.models import server as server_module
from mlebench.gateway.scripted import Reply

from ...waiting import wait_until
from .raw_http import CHAT, post


@pytest.mark.parametrize("path", ["chat", "responses", "messages"])
def test_a_broken_stream_is_broken_for_the_agent(rig, path):
    _, run = rig([Reply("x" * 80, cut_after=5)])
    seen = []
    with pytest.raises(Exception, match=r"peer closed|incomplete|ended|Connection"):
        if path == "chat":
            seen += run.chat(stream=True)
        elif path == "responses":
            for event in run.openai().responses.create(model="gpt", input="Hi", stream=True):
                seen.append(event)
        else:
            for event in run.message(stream=True):
                seen.append(event)
    assert wait_until(run.calls)
    (call,) = run.calls()
    assert call.outcome == "cut"
    assert call.usage.estimated
    assert call.usage.output > 0
    assert run.model_server.usage().total.estimated == 1


STREAMS = {
    CHAT: {"model": "gpt", "messages": [{"role": "user", "content": "Hi"}], "stream": True},
    "/v1/completions": {"model": "gpt", "prompt": "Hi", "stream": True},
    "/v1/responses": {"model": "gpt", "input": "Hi", "stream": True},
    "/v1/messages": {
        "model": "claude",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "Hi"}],
        "stream": True,
    },
}


@pytest.mark.parametrize("path", STREAMS)
def test_hanging_up_at_any_event_of_a_stream_costs_what_the_upstream_reports(rig, path):
    """Text that looks like an event, hidden reasoning, and a reset instead of an orderly end make no difference."""
    server, run = rig(lambda _: Reply("data: " * 6, reasoning=70_000, cached=1, pause=0.01))
    body = json.dumps(STREAMS[path]).encode()
    whole = run.raw(post(path, body)).count(b"data: {")
    assert whole > 4
    for events in range(whole):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(run.model_server.socket_path))
            client.sendall(post(path, body))
            received = b""
            while received.count(b"data: {") < events:
                piece = client.recv(65536)
                assert piece
                received += piece
            if events % 2:
                client.shutdown(socket.SHUT_WR)
    assert wait_until(lambda: len(run.calls()) == whole + 1)
    spent = run.model_server.usage().total
    assert spent.tokens.output == server.reported.output >= (whole + 1) * 70_000
    assert spent.tokens.input + spent.tokens.cached_input == server.reported.input
    assert spent.estimated == 0
    bases = {call.outcome: call.usage.basis for call in run.calls()}
    assert bases == {"answered": "reported", "hung_up": "drained"}


def test_hanging_up_before_a_plain_response_costs_the_same(rig):
    finish = threading.Event()
    server, run = rig(lambda asked: Reply("x" * 400, reasoning=5000) if finish.wait(60) else Reply(status=500))
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(run.model_server.socket_path))
        client.sendall(post())
        assert wait_until(lambda: server.requests)
    finish.set()
    assert wait_until(run.calls)
    (call,) = run.calls()
    assert call.usage.output == 5100
    # On a busy machine the response may come before the gateway sees that the client is gone.
    assert (call.outcome, call.usage.basis) in (("hung_up", "drained"), ("answered", "reported"))
    assert call.response.body["choices"][0]["message"]["content"] == "x" * 400


def test_a_client_that_never_reads_is_charged(rig, monkeypatch):
    monkeypatch.setattr(http_connection, "WRITE_TIMEOUT_SECONDS", 0.2)
    server, run = rig([Reply("x" * 100_000)])
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(run.model_server.socket_path))
        client.sendall(post(body=json.dumps(STREAMS[CHAT]).encode()))
        assert wait_until(run.calls)
    assert run.model_server.usage().total.tokens.output == server.reported.output == 25_000
    assert run.calls()[0].usage.basis == "drained"


def test_a_failed_attempt_is_not_repeated_without_a_client(rig):
    fail = threading.Event()
    server, run = rig(lambda _: Reply(status=500) if fail.wait(60) else Reply("late"))
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(run.model_server.socket_path))
        client.sendall(post())
        assert wait_until(lambda: server.requests)
    fail.set()
    assert wait_until(run.calls)
    (call,) = run.calls()
    assert (call.outcome, call.usage.basis, call.usage.output) == ("hung_up", "free", 0)
    assert len(server.requests) == 1


LIMITS = [
    (CHAT, {"max_tokens": 70, "n": 3}, 210),
    (CHAT, {"max_tokens": 70, "max_completion_tokens": 90}, 90),
    (CHAT, {}, 1000),
    ("/v1/completions", {"prompt": ["a", "b"], "max_tokens": 70, "n": 2, "best_of": 3}, 420),
    ("/v1/responses", {"max_output_tokens": 80}, 80),
    ("/v1/messages", {"max_tokens": 50}, 50),
]


@pytest.mark.parametrize(("path", "more", "output"), LIMITS)
def test_calls_whose_tokens_are_unknown_cost_what_was_reserved(rig, monkeypatch, path, more, output):
    """The run ends while the upstream works, or the upstream breaks off or does not report."""
    finish = threading.Event()
    replies = iter([Reply("x" * 80, cut_after=3), Reply("x", reports_usage=False), None])

    def script(_):
        return next(replies) or (finish.wait(60) and Reply("x")) or Reply(status=500)

    server, run = rig(script, upstream={"max_output_tokens": 1000})
    monkeypatch.setattr(server_module, "END_OF_RUN_SECONDS", 0.2)
    body = json.dumps(STREAMS[path] | more).encode()
    for _ in range(2):
        run.raw(post(path, body))
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(run.model_server.socket_path))
        client.sendall(post(path, body))
        assert wait_until(lambda: len(server.requests) == 3)
        run.close()
    finish.set()
    calls = run.calls()
    assert [(call.outcome, call.usage.basis) for call in calls] == [
        ("cut", "reserved"),
        ("answered", "reserved"),
        ("hung_up", "reserved"),
    ]
    assert [call.usage.output for call in calls] == [output] * 3
    assert all(call.usage.input > 0 for call in calls)
    spent = run.model_server.usage().total
    assert (spent.tokens.output, spent.estimated) == (3 * output, 3)


def test_the_end_of_the_run_waits_for_token_counts(rig):
    finish = threading.Event()
    server, run = rig(lambda _: Reply("x" * 400, reasoning=500) if finish.wait(60) else Reply(status=500))
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(run.model_server.socket_path))
        client.sendall(post())
        assert wait_until(lambda: server.requests)
        end = threading.Thread(target=run.close)
        end.start()
        assert client.recv(1) == b""
        finish.set()
        end.join()
    assert run.model_server.usage().total.tokens.output == server.reported.output == 600
    assert (run.calls()[0].detail, run.calls()[0].usage.basis) == ("The run ended.", "drained")


def test_no_call_is_lost_when_the_run_ends(rig):
    """Calls that end by themselves, by their client and by the end of the run, all at the same time."""
    finish = threading.Event()
    server, run = rig(lambda _: Reply("x" * 40) if finish.wait(60) else Reply(status=500))
    clients = [socket.socket(socket.AF_UNIX) for _ in range(30)]
    for client in clients:
        client.connect(str(run.model_server.socket_path))
        client.sendall(post())
    assert wait_until(lambda: len(server.requests) == len(clients))
    finish.set()
    for client in clients[::3]:
        client.close()
    run.close()
    for client in clients:
        client.close()
    assert len(run.calls()) == len(run.events) == len(clients)
    assert run.model_server.usage().total.tokens.output == server.reported.output == 10 * len(clients)


def test_parallel_calls_get_their_own_responses(rig):
    server, run = rig(lambda asked: Reply(asked.text, delay=0.2))
    answers = {}

    def ask(number):
        answers[number] = run.chat(f"number {number}").choices[0].message.content

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: f"number {number}" for number in range(40)}
    spent = run.model_server.usage().total
    assert (spent.requests, spent.tokens.input) == (40, server.reported.input)
    assert sorted(call.number for call in run.calls()) == list(range(40))
