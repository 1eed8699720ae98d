"""Scripted chat completions."""

from __future__ import annotations

import json

from mlebench.gateway.scripted.formats import chat
from mlebench.gateway.scripted.script import Reply, ToolCall

CALLS = (ToolCall("look", {"where": "in the cellar"}), ToolCall("stop"))


def test_a_completion_has_as_many_choices_as_requested(asked):
    choices = chat.document(asked(n=3), Reply("Hi"))["choices"]
    assert [choice["index"] for choice in choices] == [0, 1, 2]
    assert {choice["message"]["content"] for choice in choices} == {"Hi"}


def test_log_probabilities_are_given_for_all_of_the_text_if_requested(asked):
    text = "seventeen letters"
    (choice,) = chat.document(asked(logprobs=True), Reply(text))["choices"]
    assert "".join(token["token"] for token in choice["logprobs"]["content"]) == text
    (choice,) = chat.document(asked(), Reply(text))["choices"]
    assert choice["logprobs"] is None


def test_a_reply_of_tool_calls_alone_has_no_content(asked):
    (choice,) = chat.document(asked(), Reply(tool_calls=CALLS))["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert [call["id"] for call in choice["message"]["tool_calls"]] == ["call_7_0", "call_7_1"]


def test_a_stream_adds_up_to_the_text_and_the_arguments(asked, parsed):
    *chunks, end = parsed(chat.events(asked(), Reply("a text of some length", CALLS)))
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert end is None
    assert "".join(delta.get("content", "") for delta in deltas) == "a text of some length"
    arguments = ["", ""]
    for call in (call for delta in deltas for call in delta.get("tool_calls", ())):
        arguments[call["index"]] += call["function"].get("arguments", "")
    assert [json.loads(text) for text in arguments] == [call.arguments for call in CALLS]
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"
