"""The scripted model of a rehearsal."""

from __future__ import annotations

import pytest

import mlebench
from mlebench.agents.registry import get_agent
from mlebench.authoring.agent.script import SCRIPT_FILE, Script
from mlebench.errors import DeclarationError
from mlebench.gateway.scripted import Reply, Request, ToolCall

SCRIPT = "replies: [{text: one}, {tool_calls: [{name: look, arguments: {x: 1}}]}]"


@pytest.fixture
def script(tmp_path):
    folder = mlebench.make_agent("my-agent", tmp_path)

    def read(text):
        (folder / SCRIPT_FILE).unlink(missing_ok=True)
        if text is not None:
            (folder / SCRIPT_FILE).write_text(text)
        return Script.of(get_agent(folder))

    return read


def request(number):
    return Request(number, "/v1/chat/completions", {}, b"", {})


def test_replies_come_in_order_and_the_last_is_repeated(script):
    script = script(SCRIPT)
    last = Reply("", (ToolCall("look", {"x": 1}),))
    assert [script(request(number)) for number in range(4)] == [Reply("one"), last, last, last]


def test_without_a_file_every_request_gets_the_same_text(script):
    script = script(None)
    assert script(request(0)) == script(request(9))
    assert script(request(0)).text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("replies: []", "replies"),
        ("replies: [{texts: x}]", "replies.0.texts"),
        ("format_version: 2\nreplies: [{text: x}]", "format_version"),
    ],
)
def test_a_script_that_is_wrong_is_named(script, text, words):
    with pytest.raises(DeclarationError, match=words):
        script(text)
