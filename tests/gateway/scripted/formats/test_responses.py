"""Scripted responses of the OpenAI API."""

from __future__ import annotations

import json

import pytest

from mlebench.gateway.scripted.formats import responses
from mlebench.gateway.scripted.script import Reply, ToolCall

PATH = "/v1/responses"
CALL = ToolCall("look", {"where": "in the cellar"})


@pytest.mark.parametrize(
    ("reply", "kinds"),
    [
        (Reply(), []),
        (Reply("Hi"), ["message"]),
        (Reply(tool_calls=(CALL,)), ["function_call"]),
        (Reply("Hi", (CALL, CALL)), ["message", "function_call", "function_call"]),
    ],
)
def test_a_response_has_an_item_for_its_text_and_for_each_call(asked, reply, kinds):
    output = responses.document(asked(PATH), reply)["output"]
    assert [item["type"] for item in output] == kinds
    assert len({item["id"] for item in output}) == len(kinds)


def test_a_stream_numbers_its_events_and_adds_up_to_the_response(asked, parsed):
    request, reply = asked(PATH), Reply("a text of some length", (CALL,))
    stream = parsed(responses.events(request, reply))
    assert [event["sequence_number"] for event in stream] == list(range(len(stream)))
    text = "".join(event["delta"] for event in stream if event["type"] == "response.output_text.delta")
    arguments = "".join(e["delta"] for e in stream if e["type"] == "response.function_call_arguments.delta")
    assert (text, json.loads(arguments)) == (reply.text, CALL.arguments)
    assert stream[-1]["response"] == responses.document(request, reply)


def test_only_the_last_event_reports_the_usage(asked, parsed):
    first, *_, last = parsed(responses.events(asked(PATH), Reply("Hi", reasoning=5)))
    assert "usage" not in first["response"]
    assert last["response"]["usage"]["output_tokens"] == 6
