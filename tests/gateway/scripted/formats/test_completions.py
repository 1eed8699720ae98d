"""Scripted completions of a prompt."""

from __future__ import annotations

import pytest

from mlebench.gateway.scripted.formats import completions
from mlebench.gateway.scripted.script import Reply

PATH = "/v1/completions"
TEXT = "one two three four"


@pytest.mark.parametrize(("body", "given"), [({}, False), ({"logprobs": None}, False), ({"logprobs": 0}, True)])
def test_log_probabilities_are_given_even_for_zero_alternatives(asked, body, given):
    (choice,) = completions.document(asked(PATH, **body), Reply(TEXT))["choices"]
    assert (choice["logprobs"] is not None) is given


def test_each_token_is_at_its_offset_in_the_text(asked):
    (choice,) = completions.document(asked(PATH, logprobs=1), Reply(TEXT))["choices"]
    logprobs = choice["logprobs"]
    assert "".join(logprobs["tokens"]) == TEXT
    assert len(logprobs["token_logprobs"]) == len(logprobs["tokens"])
    for token, offset in zip(logprobs["tokens"], logprobs["text_offset"], strict=True):
        assert TEXT[offset : offset + len(token)] == token


def test_a_stream_adds_up_to_the_text_and_then_stops(asked, parsed):
    *chunks, end = parsed(completions.events(asked(PATH), Reply(TEXT)))
    choices = [chunk["choices"][0] for chunk in chunks]
    assert end is None
    assert "".join(choice["text"] for choice in choices) == TEXT
    assert [choice["finish_reason"] for choice in choices] == [None] * (len(choices) - 1) + ["stop"]
