"""The text of scripted requests, and their tokens."""

from __future__ import annotations

import pytest

from mlebench.gateway.scripted.script import Request, count_tokens


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({}, ""),
        ({"messages": []}, ""),
        ({"prompt": "Once"}, "Once"),
        ({"input": "Hi"}, "Hi"),
        ({"input": ["first", "last"]}, "last"),
        ({"messages": [{"role": "user", "content": "old"}, {"role": "user", "content": "new"}]}, "new"),
        ({"messages": [{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]}, "ab"),
        ({"messages": [{"content": [{"type": "tool_result", "content": [{"text": "inner"}]}]}]}, "inner"),
        ({"input": [{"type": "function_call_output", "output": "42"}]}, "42"),
        ({"messages": [{"content": None}]}, ""),
        ({"messages": [7]}, ""),
    ],
)
def test_the_text_of_a_request_is_that_of_its_last_message(body, text):
    assert Request(0, "/v1/x", {}, b"", body).text == text


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2)])
def test_a_token_is_four_characters_rounded_up(text, tokens):
    assert count_tokens(text) == tokens
