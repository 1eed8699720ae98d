"""The official clients through the gateway: every route, plain and streamed."""

from __future__ import annotations

import json

import pytest

from mlebench.gateway.scripted import Reply, ToolCall

from .conftest import KEY

TOOL = Reply("I call it.", tool_calls=(ToolCall("add", {"a": 1, "b": "two"}), ToolCall("stop")))


FUNCTION = {"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}


def test_chat_completions_are_forwarded_counted_and_logged(rig):
    server, run = rig([Reply("Hello there.", cached=3, reasoning=2)])
    answer = run.chat(reasoning_effort="low", prompt_cache_key="x", model="gateway/gpt")
    assert answer.choices[0].message.content == "Hello there."
    (asked,) = server.requests
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert "of-the-agent" not in str(asked.headers)
    assert asked.body == {
        "model": "gpt-upstream",
        "messages": [{"role": "user", "content": "Hi"}],
        "reasoning_effort": "low",
        "prompt_cache_key": "x",
    }
    (call,) = run.calls()
    assert (call.outcome, call.status, call.source, call.model) == ("answered", 200, "live", "gpt")
    assert call.request.body["model"] == "gateway/gpt"
    assert call.response.body["choices"][0]["message"]["content"] == "Hello there."
    assert (call.usage.cached_input, call.usage.reasoning, call.usage.output) == (3, 2, 5)
    spent = run.model_server.usage().total
    assert (spent.tokens.input + 3, spent.tokens.output) == (server.reported.input, server.reported.output)
    assert spent.cost == pytest.approx((spent.tokens.input * 2.5 + 3 * 1.25 + 5 * 10) / 1e6)
    (event,) = run.events
    assert event["kind"] == "model_call"
    assert event["cost"] == spent.cost == call.cost
    assert (event["request"], event["response"]) == (call.request.sha256, call.response.sha256)
    assert "Hello" not in str(event)


@pytest.mark.parametrize("asks", [True, False])
def test_chat_completions_are_streamed(rig, asks):
    server, run = rig([TOOL])
    options = {"stream_options": {"include_usage": True}} if asks else {}
    chunks = list(run.chat(stream=True, tools=[FUNCTION], **options))
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == "I call it."
    calls = [call for chunk in chunks if chunk.choices for call in chunk.choices[0].delta.tool_calls or []]
    arguments = "".join(call.function.arguments or "" for call in calls if call.index == 0)
    assert json.loads(arguments) == {"a": 1, "b": "two"}
    assert [chunk.usage is not None for chunk in chunks if not chunk.choices] == ([True] if asks else [])
    spent = run.model_server.usage()
    assert (spent.total.tokens.input, spent.total.tokens.output) == (server.reported.input, server.reported.output)
    assert (spent.total.estimated, server.reported.output > 0) == (0, True)
    (call,) = run.calls()
    assert call.response.text.endswith("data: [DONE]\n\n")
    assert call.stream
    assert not call.usage.estimated


def test_chat_completions_have_tool_calls_and_log_probabilities(rig):
    _, run = rig([TOOL, Reply("abcdefghij")])
    message = run.chat(tools=[FUNCTION]).choices[0].message
    assert json.loads(message.tool_calls[0].function.arguments) == {"a": 1, "b": "two"}
    choices = run.chat(logprobs=True, n=2).choices
    assert [token.token for token in choices[1].logprobs.content] == ["abcdefgh", "ij"]


def test_responses_are_plain_or_streamed(rig):
    server, run = rig([TOOL, TOOL])
    tools = [{"type": "function", "name": "add", "parameters": {"type": "object"}, "strict": False}]
    response = run.openai().responses.create(model="gpt", input="Hi", tools=tools)
    assert response.output_text == "I call it."
    assert json.loads(response.output[1].arguments) == {"a": 1, "b": "two"}
    with run.openai().responses.stream(model="gpt", input="Hi", tools=tools) as stream:
        final = stream.get_final_response()
    assert final.output_text == "I call it."
    assert json.loads(final.output[1].arguments) == {"a": 1, "b": "two"}
    spent = run.model_server.usage().total
    assert (spent.tokens.input, spent.tokens.output) == (server.reported.input, server.reported.output)
    assert spent.estimated == 0


def test_answers_can_be_sent_back_as_the_clients_return_them(rig):
    """With all fields that a client's objects have, most of them null."""
    server, run = rig([TOOL, Reply("1")] * 3)
    user = {"role": "user", "content": "Hi"}
    message = run.chat(tools=[FUNCTION]).choices[0].message
    result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "3"}
    run.openai().chat.completions.create(model="gpt", messages=[user, message.model_dump(), result])
    client = run.openai().responses
    output = client.create(model="gpt", input=[user], store=False).output
    outcome = {"type": "function_call_output", "call_id": output[1].call_id, "output": "3"}
    client.create(model="gpt", input=[user, *(item.model_dump() for item in output), outcome])
    blocks = run.message().content
    answer = {"role": "assistant", "content": [block.model_dump() for block in blocks]}
    used = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": blocks[1].id, "content": "3"}]}
    run.anthropic().messages.create(model="claude", max_tokens=9, messages=[user, answer, used])
    assert [call.status for call in run.calls()] == [200] * 6
    assert server.requests[1].body["messages"][1]["tool_calls"][0]["function"]["name"] == "add"


def test_completions_are_plain_or_streamed(rig):
    server, run = rig([Reply("abcdefghij"), Reply("abcdefghij")])
    answer = run.openai().completions.create(model="gpt", prompt="Say", logprobs=1)
    assert answer.choices[0].logprobs.tokens == ["abcdefgh", "ij"]
    pieces = list(run.openai().completions.create(model="gpt", prompt="Say", stream=True))
    assert "".join(piece.choices[0].text for piece in pieces) == "abcdefghij"
    assert run.model_server.usage().total.tokens.output == server.reported.output


def test_embeddings_are_base64_or_floats(rig):
    server, run = rig([Reply(), Reply()])
    vectors = run.openai().embeddings.create(model="gpt", input=["a", "b"]).data
    assert len(vectors) == 2
    assert len(vectors[0].embedding) == 8
    plain = run.openai().embeddings.create(model="gpt", input="a", encoding_format="float").data
    assert plain[0].embedding == pytest.approx(vectors[0].embedding)
    assert run.model_server.usage().total.tokens.total == server.reported.input


def test_messages_are_forwarded_and_counted(rig):
    server, run = rig([Reply("Hello.", cached=4), TOOL])
    assert run.message(system="Be brief.").content[0].text == "Hello."
    assert server.requests[0].headers["x-api-key"] == KEY
    assert "of-the-agent" not in str(server.requests[0].headers)
    assert server.requests[0].headers["anthropic-version"]
    message = run.message(tools=[{"name": "add", "input_schema": {"type": "object"}}])
    assert (message.stop_reason, message.content[1].input) == ("tool_use", {"a": 1, "b": "two"})
    spent = run.model_server.usage().total
    assert spent.tokens.input + spent.tokens.cached_input == server.reported.input
    assert (spent.tokens.cached_input, spent.tokens.output) == (4, server.reported.output)


def test_messages_are_streamed(rig):
    server, run = rig([TOOL])
    with run.anthropic().messages.stream(
        model="claude", max_tokens=100, messages=[{"role": "user", "content": "Hi"}]
    ) as stream:
        assert "".join(stream.text_stream) == "I call it."
        message = stream.get_final_message()
    assert message.content[1].input == {"a": 1, "b": "two"}
    spent = run.model_server.usage().total
    assert (spent.tokens.input, spent.tokens.output) == (server.reported.input, server.reported.output)
    assert spent.estimated == 0


def test_counting_tokens_costs_nothing(rig):
    server, run = rig([Reply()])
    messages = [{"role": "user", "content": "Hi"}]
    assert run.anthropic().messages.count_tokens(model="claude", messages=messages).input_tokens > 0
    assert run.model_server.usage().total.tokens.total == 0
    assert run.model_server.usage().total.requests == 1
    beta = run.anthropic().beta.messages
    server._script = [Reply(), Reply("Hello.")]
    assert (
        beta.create(model="claude", max_tokens=9, messages=messages, betas=["interleaved-thinking-2025-05-14"])
        .content[0]
        .text
        == "Hello."
    )
    assert server.requests[-1].headers["anthropic-beta"] == "interleaved-thinking-2025-05-14"


def test_models_are_listed(rig):
    server, run = rig([])
    assert [model.id for model in run.openai().models.list()] == ["gpt"]
    assert [model.id for model in run.anthropic().models.list()] == ["claude"]
    assert not server.requests
