"""Calls that end early, and many calls at once."""

from __future__ import annotations

import threading

import openai
import pytest

from mlebench.gateway.scripted import Reply

from ...waiting import wait_until


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


def test_disconnecting_in_a_stream_is_charged_and_stops_the_upstream(rig):
    server, run = rig([Reply("x" * 800, pause=0.1)])
    stream = run.chat(stream=True)
    for _, _ in zip(range(4), stream, strict=False):
        pass
    stream.close()
    assert wait_until(run.calls)
    (call,) = run.calls()
    assert call.outcome == "hung_up"
    assert call.usage.estimated
    assert 2 <= call.usage.output < 50
    assert run.model_server.usage().total.tokens.output == call.usage.output
    assert server.reported.output == 0


def test_disconnecting_before_the_response_charges_the_input(rig):
    _, run = rig([Reply("late", delay=20)])
    client = run.openai(timeout=0.5)
    with pytest.raises(openai.APITimeoutError):
        client.chat.completions.create(model="gpt", messages=[{"role": "user", "content": "x" * 400}])
    client.close()
    assert wait_until(run.calls)
    (call,) = run.calls()
    assert call.outcome == "hung_up"
    assert call.seconds < 15
    assert run.model_server.usage().total.tokens.input >= 100


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
