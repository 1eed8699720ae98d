"""Token counts, reported and estimated."""

from __future__ import annotations

import pytest

from mlebench.gateway.models import TokenUsage
from mlebench.gateway.models.token_counts import TokenCounter, read_usage
from mlebench.gateway.scripted import Reply


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


def test_unusual_events_are_skipped():
    reader = TokenCounter()
    for data in (b"", b"x", b"[]", b"null", b'{"response": 5}', b'{"usage": []}', b'{"choices": [{"delta": "four"}]}'):
        reader.read_event(data)
    usage, estimated = reader.count(40)
    assert (usage.input, usage.output, estimated) == (10, 1, True)


def test_usage_that_is_not_reported_is_estimated(rig):
    _, run = rig([Reply("x" * 400, reports_usage=False)] * 3)
    run.chat("y" * 400)
    assert len(list(run.chat("y" * 400, stream=True))) > 10
    list(run.openai().responses.create(model="gpt", input="y" * 400, stream=True))
    spent = run.model_server.usage().total
    assert spent.estimated == 3
    assert 300 <= spent.tokens.output < 330
    assert 300 <= spent.tokens.input < 330
    assert all(call.usage.estimated for call in run.calls())
