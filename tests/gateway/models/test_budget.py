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


@pytest.mark.parametrize("path", ["chat", "message"])
def test_hidden_reasoning_does_not_exceed_the_budget_by_more_than_a_call(rig, path):
    """Twelve calls at once, of which each uses 1,000 tokens although its limit is 5."""
    _, run = rig(lambda _: Reply("x", reasoning=1000), budget=Budget(tokens=3000))
    _ask_at_once(12, lambda: getattr(run, path)(max_tokens=5))
    assert 3000 <= run.model_server.usage().total.tokens.total < 3000 + 1100


def test_what_a_model_uses_beyond_its_limit_is_reserved_for_later_calls(rig):
    """The owner's maximum is wrong; the first call shows it."""
    _, run = rig(lambda _: Reply("x", reasoning=1000), budget=Budget(tokens=3000), upstream={"max_output_tokens": 1})
    run.chat(max_tokens=5)
    _ask_at_once(12, lambda: run.chat(max_tokens=5))
    assert 3000 <= run.model_server.usage().total.tokens.total < 3000 + 1100


def test_parallel_requests_are_exact(rig):
    server, run = rig(lambda _: Reply("x", delay=0.05), budget=Budget(requests=7))
    _ask_at_once(20, run.chat)
    assert len(server.requests) == 7


def _ask_at_once(number, ask):
    """Ask a number of times at once, and take refusals."""

    def take_refusals():
        with suppress(openai.PermissionDeniedError, anthropic.PermissionDeniedError):
            ask()

    threads = [threading.Thread(target=take_refusals) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
