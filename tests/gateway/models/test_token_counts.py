"""Token counts, reported and reserved."""

from __future__ import annotations

import json

import pytest

from mlebench.gateway.models import TokenUsage
from mlebench.gateway.models.expected_tokens import ExpectedTokens
from mlebench.gateway.models.prices import Price
from mlebench.gateway.models.token_counts import TokenCounter, read_usage
from mlebench.gateway.models.usage import MAX_TOKENS


@pytest.mark.parametrize(
    ("document", "usage"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": None}, TokenUsage(10, 0, 0, 2)),
        ({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 4}}, TokenUsage(6, 4, 0, 0)),
        ({"input_tokens": 9, "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 14},
         TokenUsage(9, 0, 0, 5, 3)),
        ({"input_tokens": 9, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 1, "output_tokens": 5},
         TokenUsage(9, 2, 1, 5)),
        ({"prompt_tokens": -5, "completion_tokens": "7"}, TokenUsage()),
        ({"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 50}}, TokenUsage(0, 3, 0, 0)),
        ({}, None),
        ("many", None),
    ],
)  # fmt: skip
def test_usage_objects_of_both_apis_are_read(document, usage):
    assert read_usage(document) == usage


@pytest.mark.parametrize(
    ("document", "output"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 99}, 89),
        ({"prompt_tokens": 10, "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 50}}, 50),
        ({"input_tokens": 9, "output_tokens": 5, "total_tokens": 50}, 41),
    ],
)
def test_reasoning_that_is_left_out_of_the_output_counts(document, output):
    assert read_usage(document).output == output


def read(*events):
    counter = TokenCounter()
    for event in events:
        counter.read_event(event if isinstance(event, bytes) else json.dumps(event).encode())
    return counter


def chat(output, *choices):
    return {"choices": list(choices), "usage": {"prompt_tokens": 7, "completion_tokens": output}}


START = {"type": "message_start", "message": {"usage": {"input_tokens": 7, "output_tokens": 1}}}
DELTA = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 30}}
CREATED = {
    "type": "response.created",
    "response": {"usage": {"input_tokens": 7, "output_tokens": 1, "total_tokens": 8}},
}
COMPLETED = {
    "type": "response.completed",
    "response": {"usage": {"input_tokens": 7, "output_tokens": 30, "total_tokens": 37}},
}
WHOLE, NOT_WHOLE = TokenUsage(input=7, output=30), None


@pytest.mark.parametrize(
    ("events", "reported"),
    [
        ([chat(30)], WHOLE),
        ([chat(30, {}), b"[DONE]"], WHOLE),
        ([chat(30), chat(2, {}), b"[DONE]"], WHOLE),
        ([START, DELTA, {"type": "message_stop"}], WHOLE),
        ([START, DELTA], WHOLE),
        ([CREATED, COMPLETED], WHOLE),
        ([chat(30, {})], NOT_WHOLE),
        ([b"[DONE]"], NOT_WHOLE),
        ([START, {"type": "error", "error": {}}], NOT_WHOLE),
        ([START, {"type": "message_stop"}], NOT_WHOLE),
        ([CREATED], NOT_WHOLE),
        ([{"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}, b"[DONE]"], NOT_WHOLE),
        ([{"choices": [{"delta": {"content": json.dumps(chat(1))}}]}, b"[DONE]"], NOT_WHOLE),
        ([b"", b"x", b"[]", b"null", {"response": 5}, {"usage": []}, {"type": 5}], NOT_WHOLE),
    ],
)
def test_a_stream_reports_its_tokens_at_its_end(events, reported):
    assert read(*events).reported() == reported


@pytest.mark.parametrize(
    ("events", "reserved"),
    [
        ([], TokenUsage(input=100, output=50)),
        ([chat(30, {})], TokenUsage(input=7, output=50)),
        ([chat(90, {})], TokenUsage(input=7, output=90)),
        ([START], TokenUsage(input=7, output=50)),
    ],
)
def test_what_was_reserved_is_no_less_than_what_was_reported(events, reserved):
    assert read(*events).reserved(ExpectedTokens(100, 50, 999)) == reserved


@pytest.mark.parametrize("usage", ["prompt_tokens", "input_tokens", "output_tokens"])
def test_impossible_numbers_of_tokens_are_bounded(usage):
    tokens = read_usage({usage: 10**400})
    assert tokens.total == MAX_TOKENS
    assert Price(input=10, output=10).cost(tokens) == 10 * MAX_TOKENS / 1e6
