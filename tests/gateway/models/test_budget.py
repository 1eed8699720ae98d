"""Budgets in requests, tokens and money."""

from __future__ import annotations

import threading
from contextlib import suppress

import anthropic
import openai
import pytest

from mlebench.gateway.models import Budget
from mlebench.gateway.scripted import Reply


def test_a_budget_of_requests_refuses_further_ones(rig):
    server, run = rig(["1", "2", "3"], budget=Budget(requests=2))
    run.chat()
    run.message()
    assert run.exhausted == []  # an agent that asks no more is not disturbed
    with pytest.raises(openai.PermissionDeniedError, match="allows 2 model requests") as caught:
        run.openai(max_retries=5).chat.completions.create(model="gpt", messages=[])
    assert (caught.value.status_code, caught.value.code) == (403, "budget_exceeded")
    with pytest.raises(anthropic.PermissionDeniedError, match="allows 2 model requests") as caught:
        run.message()
    assert caught.value.body["error"]["type"] == "budget_exceeded"
    assert len(server.requests) == 2
    assert run.exhausted == ["The run's budget is used up: it allows 2 model requests."]
    assert run.model_server.usage().refused == 2


def test_a_budget_of_tokens_refuses_when_it_is_used_up(rig):
    server, run = rig(lambda _: Reply("x" * 400), budget=Budget(tokens=350))
    for _ in range(4):
        run.chat()
    with pytest.raises(openai.PermissionDeniedError, match="it allows 350 tokens"):
        run.chat()
    assert run.model_server.usage().total.tokens.total == server.reported.input + server.reported.output
    assert len(run.exhausted) == 1


def test_a_budget_of_money_refuses_when_it_is_used_up(rig):
    server, run = rig(lambda _: Reply("x" * 400_000), budget=Budget(money=2.0))
    run.chat()
    run.chat()
    with pytest.raises(openai.PermissionDeniedError, match=r"it allows \$2, \$2\.00\d\d were spent"):
        run.chat()
    assert run.model_server.usage().total.cost == pytest.approx(2.0, abs=0.001)
    assert len(server.requests) == 2


def test_the_budget_of_the_configuration_is_the_default(rig):
    _, run = rig(["1", "2"], budget=None)
    assert run.chat()
    server = rig.serve(["1", "2"])
    run = rig.open(rig.gateway(rig.config(server, budget={"requests": 1})))
    run.chat()
    with pytest.raises(openai.PermissionDeniedError):
        run.chat()


def test_parallel_calls_wait_for_the_rest_of_the_budget(rig):
    """Each call may take 120 tokens and takes 100 or so: of forty at once, no more go than fit, plus one."""
    server, run = rig(lambda _: Reply("x" * 400, delay=0.1), budget=Budget(tokens=500))
    refused = []

    def ask():
        try:
            run.chat(max_tokens=120)
        except openai.PermissionDeniedError as error:
            refused.append(error)

    threads = [threading.Thread(target=ask) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = run.model_server.usage().total
    assert 500 <= spent.tokens.total < 500 + 130
    assert spent.requests == len(server.requests) == 40 - len(refused)
    assert len(run.exhausted) == 1


def test_reasoning_beyond_the_limit_is_expected_of_later_calls(rig):
    """A call has used 1,000 tokens more than its limit: of twelve at once, two go."""
    server, run = rig(lambda _: Reply("x", reasoning=1000), budget=Budget(tokens=3000))
    run.chat(max_tokens=5)
    threads = [threading.Thread(target=lambda: _ask(run, max_tokens=5)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = run.model_server.usage().total
    assert 3000 <= spent.tokens.total < 3000 + 1100
    assert len(server.requests) == 3


def test_parallel_requests_are_exact(rig):
    server, run = rig(lambda _: Reply("x", delay=0.05), budget=Budget(requests=7))
    threads = [threading.Thread(target=lambda: _ask(run)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 7


def _ask(run, **more):
    with suppress(openai.PermissionDeniedError):
        run.chat(**more)
