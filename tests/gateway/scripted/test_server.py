"""The scripted model server, used by the official clients without a gateway."""

from __future__ import annotations

import anthropic
import openai
import pytest

from mlebench.gateway.scripted import Reply, ScriptedServer, ToolCall, count_tokens


def clients(server):
    options = {"api_key": "k", "max_retries": 0, "timeout": 10}
    return openai.OpenAI(base_url=f"{server.url}/v1", **options), anthropic.Anthropic(base_url=server.url, **options)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def test_replies_of_a_list_come_in_order():
    messages = [{"role": "user", "content": "Hi"}]
    with ScriptedServer(["one", Reply("two", tool_calls=(ToolCall("f", {"x": 1}),))]) as server:
        chat, claude = clients(server)
        assert chat.chat.completions.create(model="m", messages=messages).choices[0].message.content == "one"
        answer = claude.messages.create(model="m", max_tokens=5, messages=messages)
        assert [block.type for block in answer.content] == ["text", "tool_use"]
        with pytest.raises(openai.BadRequestError, match="script is over"):
            chat.chat.completions.create(model="m", messages=messages)
    assert [asked.path for asked in server.requests] == ["/v1/chat/completions", "/v1/messages", "/v1/chat/completions"]
    assert server.requests[0].headers["authorization"] == "Bearer k"
    assert server.reported.output == count_tokens("one") + count_tokens('twof{"x": 1}')


def test_a_function_of_the_request_gives_the_reply():
    with ScriptedServer(lambda asked: f"{asked.number}: {asked.text}") as server:
        chat, _ = clients(server)
        assert chat.responses.create(model="m", input="Hi").output_text == "0: Hi"
        messages = [{"role": "user", "content": [{"type": "text", "text": "Ho"}]}]
        assert chat.chat.completions.create(model="m", messages=messages).choices[0].message.content == "1: Ho"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply("x", status=401), openai.AuthenticationError),
        (Reply("x", status=404), openai.NotFoundError),
        (Reply("x", status=429), openai.RateLimitError),
        (Reply("x", status=500), openai.InternalServerError),
        (Reply(cut_after=0), openai.APIConnectionError),
        (Reply("x", delay=2), openai.APITimeoutError),
    ],
)
def test_failures_raise_the_clients_errors(reply, error):
    with ScriptedServer([reply]) as server:
        chat, _ = clients(server)
        with pytest.raises(error):
            chat.with_options(timeout=1).chat.completions.create(model="m", messages=[])
