"""Anthropic messages and their token count: `/v1/messages` and `/v1/messages/count_tokens`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mlebench.gateway.scripted.formats.parts import Json, named_event, pieces, token_counts, with_usage

if TYPE_CHECKING:
    from mlebench.gateway.scripted.script import Reply, Request

COUNT_TOKENS_PATH = "/v1/messages/count_tokens"


def token_count(request: Request, reply: Reply) -> Json:
    """Return the number of input tokens of a request."""
    return {"input_tokens": token_counts(request, reply).input}


def document(request: Request, reply: Reply) -> Json:
    """Return the message: a block of text and a block for each tool call."""
    tokens = token_counts(request, reply)
    message = {
        "id": f"msg_{request.number}",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model"),
        "content": _content_blocks(request, reply),
        "stop_reason": "tool_use" if reply.tool_calls else "end_turn",
        "stop_sequence": None,
    }
    usage = {
        "input_tokens": tokens.input - tokens.cached,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": tokens.output,
    }
    return with_usage(message, reply, usage)


def events(request: Request, reply: Reply) -> list[bytes]:
    """Return the message as a stream; the first event has the input tokens, the last but one the output tokens."""
    whole = document(request, reply)
    start = whole | {"content": [], "stop_reason": None}
    delta: Json = {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None}}
    if reply.reports_usage:
        start["usage"] = whole["usage"] | {"output_tokens": 1}
        delta["usage"] = {"output_tokens": whole["usage"]["output_tokens"]}
    stream: list[Json] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for index, block in enumerate(whole["content"]):
        stream += _block_events(index, block)
    return [named_event(event) for event in [*stream, delta, {"type": "message_stop"}]]


def _content_blocks(request: Request, reply: Reply) -> list[Json]:
    blocks: list[Json] = [{"type": "text", "text": reply.text}] if reply.text or not reply.tool_calls else []
    for index, call in enumerate(reply.tool_calls):
        name = f"toolu_{request.number}_{index}"
        blocks.append({"type": "tool_use", "id": name, "name": call.name, "input": call.arguments})
    return blocks


def _block_events(index: int, block: Json) -> list[Json]:
    if block["type"] == "text":
        empty = block | {"text": ""}
        deltas = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
    else:
        empty = block | {"input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(json.dumps(block["input"]))]
    return [
        {"type": "content_block_start", "index": index, "content_block": empty},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]
