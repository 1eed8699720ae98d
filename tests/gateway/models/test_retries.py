"""When requests to upstreams are retried."""

from __future__ import annotations

import time

import openai
import pytest

from mlebench.gateway.models.retries import retry_delay
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


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "-7"}, 0),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0),
    ],
)
def test_the_delay_is_what_the_upstream_asks_for(headers, seconds):
    assert retry_delay(3, headers) == seconds


@pytest.mark.parametrize("headers", [{}, {"retry-after": "soon"}])
def test_the_delay_grows_up_to_a_maximum_otherwise(headers):
    delays = [retry_delay(retries, headers) for retries in range(12)]
    assert 0.375 <= delays[0] <= 0.5
    assert delays[3] > delays[0]
    assert 22.5 <= delays[-1] <= 30


@pytest.mark.parametrize(
    ("fault", "reserved"),
    [
        (Reply(status=500), 0),
        (Reply(status=429, headers={"Retry-After": "0"}), 0),
        (Reply("no answer", cut_after=0), 0),
        (Reply("half an answer", cut_after=20), 1),
        (Reply(status=504), 1),
    ],
    ids=["500", "429", "no answer", "half an answer", "a proxy's timeout"],
)
def test_attempts_that_the_provider_may_charge_cost_what_was_reserved(rig, fault, reserved):
    server, run = rig([fault, Reply("Hello.")])
    run.chat(max_tokens=700)
    (call,) = run.calls()
    assert (call.usage.basis, call.usage.reserved_attempts) == ("reported", reserved)
    assert call.usage.output == server.reported.output + reserved * 700
    assert run.model_server.usage().total.estimated == reserved


def test_an_upstream_that_did_not_respond_in_time_may_charge(rig):
    _, run = rig([Reply("late", delay=3)], upstream={"timeout_seconds": 0.5})
    with pytest.raises(openai.InternalServerError, match="in time"):
        run.chat(max_tokens=700)
    (call,) = run.calls()
    assert (call.outcome, call.usage.basis, call.usage.output) == ("failed", "reserved", 700)


def test_an_upstream_that_cannot_be_reached_charges_nothing(rig):
    server = rig.serve([])
    config = rig.config(server, upstream={"base_url": "http://127.0.0.1:9/v1", "retries": 0})
    run = rig.open(rig.gateway(config))
    with pytest.raises(openai.InternalServerError, match="cannot be reached"):
        run.chat(max_tokens=700)
    assert run.calls()[0].usage.basis == "free"
    assert run.model_server.usage().total.tokens.total == 0
