"""Scripted messages of the Anthropic API."""

from __future__ import annotations

import json

import pytest

from mlebench.gateway.scripted.formats import messages
from mlebench.gateway.scripted.script import Reply, ToolCall

PATH = "/v1/messages"
CALL = ToolCall("look", {"where": "in the cellar"})


@pytest.mark.parametrize(
    ("reply", "kinds", "reason"),
    [
        (Reply("Hi"), ["text"], "end_turn"),
        (Reply(), ["text"], "end_turn"),
        (Reply(tool_calls=(CALL,)), ["tool_use"], "tool_use"),
        (Reply("Hi", (CALL, CALL)), ["text", "tool_use", "tool_use"], "tool_use"),
    ],
)
def test_a_message_has_a_block_for_its_text_and_for_each_tool_call(asked, reply, kinds, reason):
    message = messages.document(asked(PATH), reply)
    assert [block["type"] for block in message["content"]] == kinds
    assert message["stop_reason"] == reason


def test_cached_tokens_are_not_counted_as_input_again(asked):
    request = asked(PATH, messages=[{"role": "user", "content": "x" * 400}])
    all_tokens = messages.token_count(request, Reply())["input_tokens"]
    usage = messages.document(request, Reply(cached=30))["usage"]
    assert (usage["input_tokens"], usage["cache_read_input_tokens"]) == (all_tokens - 30, 30)


def test_a_stream_adds_up_to_the_blocks_of_the_message(asked, parsed):
    reply = Reply("a text of some length", (CALL,))
    stream = parsed(messages.events(asked(PATH), reply))
    parts = ["", ""]
    for event in stream:
        if event["type"] == "content_block_delta":
            delta = event["delta"]
            parts[event["index"]] += delta.get("text") or delta.get("partial_json")
    assert (parts[0], json.loads(parts[1])) == (reply.text, CALL.arguments)
    assert [event["type"] for event in (stream[0], stream[-1])] == ["message_start", "message_stop"]


def test_a_stream_without_usage_has_none_in_any_event(asked):
    events = b"".join(messages.events(asked(PATH), Reply("Hi", reports_usage=False)))
    assert b"usage" not in events
