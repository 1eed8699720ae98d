"""When requests to upstreams are retried."""

from __future__ import annotations

import time

import openai
import pytest

from mlebench.gateway.scripted import Reply


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
def test_temporary_failures_are_retried(rig, fault):
    server, run = rig([fault, Reply("Hello.")])
    assert run.chat().choices[0].message.content == "Hello."
    assert len(server.requests) == 2
    (call,) = run.calls()
    assert (call.retries, call.outcome) == (1, "answered")
    assert run.model_server.usage().total.requests == 1


def test_retry_after_is_respected(rig):
    times = []

    def script(asked):
        times.append(time.monotonic())
        return "Hello." if times[1:] else Reply(status=429, headers={"Retry-After": "1"})

    _, run = rig(script)
    run.chat()
    assert times[1] - times[0] >= 1


def test_a_retry_after_beyond_the_timeout_goes_to_the_agent(rig):
    server, run = rig([Reply("Tomorrow.", status=429, headers={"Retry-After": "3600", "Set-Cookie": "a=b"})])
    with pytest.raises(openai.RateLimitError, match="Tomorrow") as caught:
        run.chat()
    assert caught.value.response.headers["retry-after"] == "3600"
    assert "set-cookie" not in caught.value.response.headers
    assert len(server.requests) == 1


def test_an_exhausted_quota_is_not_retried(rig):
    server, run = rig([Reply("No money.", status=429, code="insufficient_quota"), "no"])
    with pytest.raises(openai.RateLimitError, match="No money"):
        run.openai(max_retries=3).chat.completions.create(model="gpt", messages=[])
    assert len(server.requests) == 1
