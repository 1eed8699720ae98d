"""OpenAI responses: `/v1/responses`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mlebench.gateway.scripted.formats.parts import Json, named_event, pieces, token_counts, with_usage

if TYPE_CHECKING:
    from mlebench.gateway.scripted.script import Reply, Request


def document(request: Request, reply: Reply) -> Json:
    """Return the response: a message if there is text, and its function calls."""
    tokens = token_counts(request, reply)
    response: Json = {
        "id": f"resp_{request.number}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": request.body.get("model"),
        "output": _output_items(request, reply),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": request.body.get("tools") or [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
    }
    usage = {
        "input_tokens": tokens.input,
        "input_tokens_details": {"cached_tokens": tokens.cached},
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": reply.reasoning},
        "total_tokens": tokens.input + tokens.output,
    }
    return with_usage(response, reply, usage)


def events(request: Request, reply: Reply) -> list[bytes]:
    """Return the response as a stream: created, the events of each item, completed."""
    whole = document(request, reply)
    created = {name: value for name, value in whole.items() if name != "usage"}
    created |= {"status": "in_progress", "output": []}
    stream: list[Json] = [{"type": "response.created", "response": created}]
    for index, item in enumerate(whole["output"]):
        stream += _message_events(index, item) if item["type"] == "message" else _function_call_events(index, item)
        stream.append({"type": "response.output_item.done", "output_index": index, "item": item})
    stream.append({"type": "response.completed", "response": whole})
    return [named_event({**event, "sequence_number": number}) for number, event in enumerate(stream)]


def _output_items(request: Request, reply: Reply) -> list[Json]:
    items: list[Json] = []
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}]
        item = {"id": f"msg_{request.number}", "type": "message", "role": "assistant", "status": "completed"}
        items.append(item | {"content": content})
    for index, call in enumerate(reply.tool_calls):
        name = f"{request.number}_{index}"
        item = {"id": f"fc_{name}", "type": "function_call", "call_id": f"call_{name}", "status": "completed"}
        items.append(item | {"name": call.name, "arguments": json.dumps(call.arguments)})
    return items


def _message_events(index: int, item: Json) -> list[Json]:
    part = {"output_index": index, "item_id": item["id"], "content_index": 0}
    empty = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    text = item["content"][0]["text"]
    return [
        {"type": "response.output_item.added", "output_index": index, "item": item | {"content": []}},
        {"type": "response.content_part.added", **part, "part": empty},
        *({"type": "response.output_text.delta", **part, "delta": piece, "logprobs": []} for piece in pieces(text)),
        {"type": "response.output_text.done", **part, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **part, "part": item["content"][0]},
    ]


def _function_call_events(index: int, item: Json) -> list[Json]:
    kind = "response.function_call_arguments"
    position = {"output_index": index, "item_id": item["id"]}
    return [
        {"type": "response.output_item.added", "output_index": index, "item": item | {"arguments": ""}},
        *({"type": f"{kind}.delta", **position, "delta": piece} for piece in pieces(item["arguments"])),
        {"type": f"{kind}.done", **position, "arguments": item["arguments"], "name": item["name"]},
    ]
