"""What a request may cost, judged by its text."""

from __future__ import annotations

import json

import pytest

from .test_allowlist import CHAT, COMPLETIONS, COUNT_TOKENS, EMBEDDINGS, MESSAGES, RESPONSES, chat, config, prepare

OPTIONS = config(max_output_tokens=1000)


@pytest.mark.parametrize(
    ("path", "document", "output"),
    [
        (CHAT, {}, 1000),
        (CHAT, {"max_tokens": 7}, 7),
        (CHAT, {"max_tokens": None, "n": None}, 1000),
        (CHAT, {"max_tokens": 0}, 1000),
        (CHAT, {"max_tokens": 7, "max_completion_tokens": 9}, 9),
        (CHAT, {"max_tokens": 10**30}, 1000),
        (CHAT, {"max_tokens": 7, "n": 3}, 21),
        (CHAT, {"max_tokens": 7, "n": 2, "best_of": 5}, 35),
        (COMPLETIONS, {"prompt": "a", "max_tokens": 7, "best_of": 3}, 21),
        (COMPLETIONS, {"prompt": ["a", "b"], "max_tokens": 7, "n": 2}, 28),
        (COMPLETIONS, {"prompt": [[1], [2], [3]], "max_tokens": 7}, 21),
        (COMPLETIONS, {"prompt": [1, 2, 3], "max_tokens": 7}, 7),
        (RESPONSES, {"max_output_tokens": 7}, 7),
        (RESPONSES, {}, 1000),
        (MESSAGES, {"max_tokens": 7}, 7),
        (EMBEDDINGS, {"input": ["a"] * 9}, 0),
        (COUNT_TOKENS, {"messages": []}, 0),
    ],
)
def test_output_is_what_the_request_allows_over_all_choices_and_prompts(path, document, output):
    assert prepare(path, document, OPTIONS).expected.output == output


@pytest.mark.parametrize("text", ["x" * 4000, "data: " + "x" * 3994, "data:image/png;base64," + "A" * 3978])
@pytest.mark.parametrize(
    ("path", "make"),
    [
        (CHAT, lambda text: {"messages": [{"role": "user", "content": text}]}),
        (CHAT, lambda text: {"tools": [{"type": "function", "function": {"name": "f", "description": text}}]}),
        (CHAT, lambda text: chat({"type": "text", "text": text})),
        (CHAT, lambda text: {"guided_json": {"data": text}}),
        (RESPONSES, lambda text: {"instructions": text}),
        (MESSAGES, lambda text: {"messages": [{"role": "assistant", "content": [
            {"type": "tool_use", "id": "1", "name": "f", "input": {"data": text}}]}]}),
        (EMBEDDINGS, lambda text: {"input": [text]}),
    ],
)  # fmt: skip
def test_all_text_counts_wherever_it_is(path, make, text):
    assert 1000 <= prepare(path, make(text), OPTIONS).expected.input < 1100


def test_an_attachment_counts_up_to_a_maximum():
    def picture(size):
        return {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * size}}

    assert 1000 <= prepare(CHAT, chat(picture(4000)), OPTIONS).expected.input < 1100
    assert 100_000 <= prepare(CHAT, chat(*[picture(300_000)] * 2), OPTIONS).expected.input < 100_100


def test_tokens_that_are_given_as_numbers_count_each():
    assert prepare(COMPLETIONS, {"prompt": [1] * 1000}, OPTIONS).expected.input >= 1000


def test_a_request_with_allowed_fields_counts_them_as_text():
    document = {"tools": [{"type": "web_search", "a": "x" * 4000}]}
    assert prepare(CHAT, document, config(hosted_tools=True)).expected.input >= len(json.dumps(document)) // 4
