"""OpenAI chat completions: `/v1/chat/completions`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mlebench.gateway.scripted.formats.parts import (
    Json,
    completion_events,
    completion_usage,
    envelope,
    pieces,
    with_usage,
)

if TYPE_CHECKING:
    from mlebench.gateway.scripted.script import Reply, Request


def document(request: Request, reply: Reply) -> Json:
    """Return the chat completion, with as many choices as the request's `n`."""
    message: Json = {"role": "assistant", "content": reply.text or None, "refusal": None}
    if reply.tool_calls:
        message["tool_calls"] = _tool_calls(request, reply)
    choice: Json = {"message": message, "finish_reason": _finish_reason(reply), "logprobs": None}
    if request.body.get("logprobs"):
        content: list[Json] = [
            {"token": piece, "logprob": -0.5, "bytes": None, "top_logprobs": []} for piece in pieces(reply.text)
        ]
        choice["logprobs"] = {"content": content, "refusal": None}
    choices = [{"index": index, **choice} for index in range(request.body.get("n") or 1)]
    completion = {**envelope(request, "chatcmpl-", "chat.completion"), "choices": choices}
    return with_usage(completion, reply, completion_usage(request, reply))


def events(request: Request, reply: Reply) -> list[bytes]:
    """Return the chat completion as chunks."""
    deltas: list[Json] = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces(reply.text))]
    for index, call in enumerate(_tool_calls(request, reply)):
        arguments = call["function"].pop("arguments")
        deltas.append({"tool_calls": [{"index": index, **call}]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in pieces(arguments)]
    choices: list[Json] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": _finish_reason(reply)})
    return completion_events(request, reply, envelope(request, "chatcmpl-", "chat.completion.chunk"), choices)


def _finish_reason(reply: Reply) -> str:
    return "tool_calls" if reply.tool_calls else "stop"


def _tool_calls(request: Request, reply: Reply) -> list[Json]:
    return [
        {
            "id": f"call_{request.number}_{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
        }
        for index, call in enumerate(reply.tool_calls)
    ]
