"""Tools and contents that the provider would run or fetch."""

from __future__ import annotations

import json

import pytest

from mlebench.gateway.scripted import Reply

from .raw_http import CHAT, post, status_of


@pytest.mark.parametrize(
    ("path", "more"),
    [
        (CHAT, {"web_search_options": {}, "tools": [{"type": "web_search"}]}),
        (CHAT, {"web_search_options": {"search_context_size": "low"}}),
        (
            CHAT,
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://a/b"}}]}]},
        ),
        ("/v1/responses", {"tools": [{"type": "web_search_preview"}]}),
        ("/v1/responses", {"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]}),
        ("/v1/responses", {"tools": [{"type": "mcp", "server_url": "https://a"}]}),
        ("/v1/responses", {"tools": [{"type": "shell", "environment": {"type": "container_auto"}}]}),
        ("/v1/responses", {"input": [{"role": "user", "content": [{"type": "input_file", "file_url": "HTTPS://a"}]}]}),
        ("/v1/responses", {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "//a"}]}]}),
        ("/v1/messages", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
        ("/v1/messages", {"tools": [{"type": "code_execution_20250522", "name": "code_execution"}]}),
        ("/v1/messages", {"mcp_servers": [{"type": "url", "url": "https://a"}]}),
        (
            "/v1/messages",
            {
                "messages": [
                    {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://a"}}]}
                ]
            },
        ),
    ],
)
def test_hosted_tools_and_urls_are_refused(rig, path, more):
    server, run = rig([Reply("1")])
    model = "claude" if path == "/v1/messages" else "gpt"
    body = json.dumps({"model": model, "messages": [], **more}).encode()
    response = run.raw(post(path, body))
    assert (status_of(response), b"The provider may only run the model" in response) == (403, True)
    assert not server.requests
    server, run = rig([Reply("1")], hosted_tools=True)
    assert status_of(run.raw(post(path, body))) == 200


def test_tools_and_pictures_of_the_agent_pass(rig):
    server, run = rig([Reply("1")] * 3)
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"url": "https://a"}'}}
    tool = {"type": "function", "function": {"name": "f", "parameters": {"properties": {"url": {"type": "string"}}}}}
    messages = [
        {"role": "user", "content": [picture, {"type": "text", "text": "see http://a/b"}]},
        {"role": "assistant", "tool_calls": [call]},
    ]
    run.openai().chat.completions.create(model="gpt", messages=messages, tools=[tool])
    used = {"type": "tool_use", "id": "1", "name": "f", "input": {"url": "https://a"}}
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": [used]}]
    tools = [{"name": "f", "input_schema": {"type": "object"}}, {"type": "bash_20250124", "name": "bash"}]
    run.anthropic().messages.create(model="claude", max_tokens=9, messages=messages, tools=tools)
    assert len(server.requests) == 2
