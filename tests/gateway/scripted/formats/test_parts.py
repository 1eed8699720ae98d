"""What the scripted formats share."""

from __future__ import annotations

import pytest

from mlebench.gateway.scripted.formats.parts import completion_events, named_event, pieces, token_counts
from mlebench.gateway.scripted.script import Reply, ToolCall


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", []), ("12345678", ["12345678"]), ("123456789", ["12345678", "9"])],
)
def test_text_is_cut_into_pieces_of_eight_characters(text, expected):
    assert pieces(text) == expected


def test_only_what_the_model_reads_counts_as_input(asked):
    plain = token_counts(asked(messages=["Hi"]), Reply())
    assert token_counts(asked(messages=["Hi"], temperature=0.12345, user="somebody"), Reply()) == plain
    assert token_counts(asked(messages=["Hi"], system="Be brief."), Reply()).input > plain.input


def test_output_is_text_tool_calls_and_reasoning(asked):
    reply = Reply("1234", (ToolCall("ab"),), reasoning=10)  # with the arguments {}, it has 8 characters
    assert token_counts(asked(), reply).output == 12
    assert token_counts(asked("/v1/embeddings"), reply).output == 0


def test_a_named_event_has_the_type_of_its_document():
    assert named_event({"type": "ping"}) == b'event: ping\ndata: {"type": "ping"}\n\n'


@pytest.mark.parametrize(
    ("options", "reports", "sends"),
    [(None, True, False), ({"include_usage": True}, True, True), ({"include_usage": True}, False, False)],
)
def test_a_stream_ends_with_its_usage_only_if_requested_and_reported(asked, parsed, options, reports, sends):
    request = asked(stream_options=options)
    *chunks, end = parsed(completion_events(request, Reply(reports_usage=reports), {}, [{"index": 0}]))
    assert end is None
    assert len(chunks) == 1 + sends
    assert ("usage" in chunks[0]) is sends
