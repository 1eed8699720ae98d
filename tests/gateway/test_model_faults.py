"""Upstreams that fail, streams that break, agents that hang up."""

from __future__ import annotations

import json
import socket
import threading
import time

import anthropic
import openai
import pytest

from mlebench.gateway.scripted import Reply

from .conftest import KEY


def eventually(condition):
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(
    "fault",
    [
        Reply("Slow down.", status=429, headers={"Retry-After": "0.2"}),
        Reply("Slow down.", status=429, headers={"Retry-After-Ms": "200"}),
        Reply(status=500),
        Reply(status=529),
        Reply("cut", cut_after=0),
        Reply("cut in the middle", cut_after=20),
    ],
    ids=["429", "429 in ms", "500", "529", "no answer", "half an answer"],
)
def test_passing_faults_are_tried_again(rig, fault):
    server, run = rig([fault, Reply("Hello.")])
    assert run.chat().choices[0].message.content == "Hello."
    assert len(server.requests) == 2
    (call,) = run.calls()
    assert (call.retries, call.outcome) == (1, "answered")
    assert run.model_server.usage().total.requests == 1


def test_retry_after_is_waited_for(rig):
    times = []

    def script(asked):
        times.append(time.monotonic())
        return "Hello." if times[1:] else Reply(status=429, headers={"Retry-After": "1"})

    _, run = rig(script)
    run.chat()
    assert times[1] - times[0] >= 1


def test_a_long_retry_after_goes_to_the_agent(rig):
    server, run = rig([Reply("Tomorrow.", status=429, headers={"Retry-After": "3600", "Set-Cookie": "a=b"})])
    with pytest.raises(openai.RateLimitError, match="Tomorrow") as caught:
        run.chat()
    assert caught.value.response.headers["retry-after"] == "3600"
    assert "set-cookie" not in caught.value.response.headers
    assert len(server.requests) == 1


def test_an_empty_account_is_not_asked_again(rig):
    server, run = rig([Reply("No money.", status=429, code="insufficient_quota"), "no"])
    with pytest.raises(openai.RateLimitError, match="No money"):
        run.openai(max_retries=3).chat.completions.create(model="gpt", messages=[])
    assert len(server.requests) == 1


def test_errors_are_passed_on(rig):
    server, run = rig([Reply("Bad.", status=400), Reply("Where?", status=404), *[Reply("Busy.", status=529)] * 3])
    with pytest.raises(openai.BadRequestError, match="Bad"):
        run.chat()
    with pytest.raises(openai.NotFoundError, match="Where"):
        run.chat()
    with pytest.raises(anthropic.InternalServerError, match="Busy"):
        run.message()
    assert len(server.requests) == 5
    spent = run.model_server.usage().total
    assert (spent.requests, spent.tokens.total, spent.cost) == (3, 0, 0)
    assert [call.status for call in run.calls()] == [400, 404, 529]


def test_a_refused_key_is_the_harness_s_affair(rig):
    """Providers quote a part of the key that they refuse."""
    _, run = rig([Reply(f"Incorrect API key provided: {KEY[:6]}***{KEY[-4:]}.", status=401)])
    with pytest.raises(openai.AuthenticationError, match="gateway's own key") as caught:
        run.chat()
    assert KEY[-4:] not in str(caught.value)
    assert KEY[-4:] not in run.log.read_text()


def test_a_quoted_key_is_taken_out(rig):
    _, run = rig([Reply(f"You sent Bearer {KEY}", status=403), Reply(KEY)])
    with pytest.raises(openai.PermissionDeniedError, match=r"Bearer \[key\]"):
        run.chat()
    assert run.chat().choices[0].message.content == "[key]"
    assert KEY not in run.log.read_text()


def test_malformed_answers_are_passed_on(rig):
    _, run = rig([Reply(malformed=True)])
    with pytest.raises(Exception, match=r"Expecting|JSON|json"):
        run.chat()
    (call,) = run.calls()
    assert call.response.text == '{"choices": [{'
    assert call.usage.estimated


def test_nobody_answers(rig):
    server = rig.serve([])
    config = rig.config(server, upstream={"base_url": "http://127.0.0.1:9/v1", "retries": 0})
    run = rig.open(rig.gateway(config))
    with pytest.raises(openai.InternalServerError, match="cannot be reached") as caught:
        run.chat()
    assert caught.value.status_code == 502
    with pytest.raises(anthropic.InternalServerError, match="cannot be reached"):
        run.message()
    assert [call.outcome for call in run.calls()] == ["failed", "failed"]


def test_an_answer_that_does_not_begin_in_time(rig):
    _, run = rig([Reply("late", delay=3)], upstream={"timeout_seconds": 0.5})
    with pytest.raises(openai.InternalServerError, match="in time") as caught:
        run.chat()
    assert caught.value.status_code == 504


def test_redirects_are_not_followed(rig):
    server = rig.serve(lambda asked: Reply(status=307, headers={"Location": f"{server.url}/v1/elsewhere"}))
    run = rig.open(rig.gateway(rig.config(server)))
    with pytest.raises(openai.InternalServerError, match="307"):
        run.chat()
    assert len(server.requests) == 1


@pytest.mark.parametrize("path", ["chat", "responses", "messages"])
def test_a_cut_stream_ends_cut(rig, path):
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
    eventually(run.calls)
    (call,) = run.calls()
    assert call.outcome == "cut"
    assert call.usage.estimated
    assert call.usage.output > 0
    assert run.model_server.usage().total.estimated == 1


def test_hanging_up_in_a_stream_is_charged_and_stops_the_upstream(rig):
    server, run = rig([Reply("x" * 800, pause=0.1)])
    stream = run.chat(stream=True)
    for _, _ in zip(range(4), stream, strict=False):
        pass
    stream.close()
    eventually(run.calls)
    (call,) = run.calls()
    assert call.outcome == "hung_up"
    assert call.usage.estimated
    assert 2 <= call.usage.output < 50
    assert run.model_server.usage().total.tokens.output == call.usage.output
    assert server.reported.output == 0


def test_hanging_up_before_the_answer(rig):
    _, run = rig([Reply("late", delay=3)])
    client = run.openai(timeout=0.5)
    with pytest.raises(openai.APITimeoutError):
        client.chat.completions.create(model="gpt", messages=[{"role": "user", "content": "x" * 400}])
    client.close()
    eventually(run.calls)
    (call,) = run.calls()
    assert call.outcome == "hung_up"
    assert call.seconds < 2.5
    assert run.model_server.usage().total.tokens.input >= 100


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
            connection.settimeout(5)
            while connection.recv(65536):
                pass
        model_server.__enter__()
    (line,) = log.read_text().splitlines()
    assert json.loads(line)["detail"] == "The run ended."
    assert model_server.usage().total.requests == 1


def test_many_calls_at_once(rig):
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
