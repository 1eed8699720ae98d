"""Replies in the forms of both protocols: as one JSON object, and as the events of a stream."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from typing import TYPE_CHECKING, Any

from mlebench.gateway.scripted.script import Tokens, count_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.gateway.scripted.script import Asked, Reply

PIECE = 8
"""Characters of text in one event of a stream."""
DIMENSIONS = 8
Json = dict[str, Any]


def tokens_of(asked: Asked, reply: Reply) -> Tokens:
    """Return the tokens of one answer."""
    listed = {key: value for key, value in asked.body.items() if key in ("messages", "input", "prompt", "system")}
    said = reply.text + "".join(call.name + json.dumps(call.arguments) for call in reply.tool_calls)
    makes_text = asked.path not in ("/v1/embeddings", "/v1/messages/count_tokens")
    output = count_tokens(said) + reply.reasoning if makes_text else 0
    return Tokens(count_tokens(json.dumps(listed)), reply.cached, output)


def plain(asked: Asked, reply: Reply) -> Json:
    """Return the answer as one object."""
    return _PLAIN[asked.path](asked, reply)


def events(asked: Asked, reply: Reply) -> list[bytes]:
    """Return the answer as server-sent events."""
    return _EVENTS[asked.path](asked, reply)


def error(path: str, reply: Reply) -> Json:
    """Return the error that a reply stands for."""
    kind = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    what = {"type": kind.get(reply.status, "api_error"), "message": reply.text or "scripted error"}
    if path.startswith("/v1/messages"):
        return {"type": "error", "error": what}
    return {"error": what | {"param": None, "code": reply.code}}


def _pieces(text: str) -> list[str]:
    return [text[place : place + PIECE] for place in range(0, len(text), PIECE)]


def _head(asked: Asked, prefix: str, kind: str) -> Json:
    return {"id": f"{prefix}{asked.number}", "object": kind, "created": 0, "model": asked.body.get("model")}


def _data(document: Json) -> bytes:
    return f"data: {json.dumps(document)}\n\n".encode()


def _event(document: Json) -> bytes:
    return f"event: {document['type']}\n".encode() + _data(document)


def _openai_usage(asked: Asked, reply: Reply) -> Json:
    tokens = tokens_of(asked, reply)
    return {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens_details": {"reasoning_tokens": reply.reasoning},
    }


def _with_usage(document: Json, reply: Reply, usage: Json) -> Json:
    return document | {"usage": usage} if reply.tells_usage else document


def _chat_calls(asked: Asked, reply: Reply) -> list[Json]:
    return [
        {
            "id": f"call_{asked.number}_{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
        }
        for index, call in enumerate(reply.tool_calls)
    ]


def _chat(asked: Asked, reply: Reply) -> Json:
    message: Json = {"role": "assistant", "content": reply.text or None, "refusal": None}
    if reply.tool_calls:
        message["tool_calls"] = _chat_calls(asked, reply)
    choice: Json = {"message": message, "finish_reason": "tool_calls" if reply.tool_calls else "stop", "logprobs": None}
    if asked.body.get("logprobs"):
        content: list[Json] = [
            {"token": t, "logprob": -0.5, "bytes": None, "top_logprobs": []} for t in _pieces(reply.text)
        ]
        choice["logprobs"] = {"content": content, "refusal": None}
    choices = [{"index": index, **choice} for index in range(asked.body.get("n") or 1)]
    document = {**_head(asked, "chatcmpl-", "chat.completion"), "choices": choices}
    return _with_usage(document, reply, _openai_usage(asked, reply))


def _chat_events(asked: Asked, reply: Reply) -> list[bytes]:
    deltas: list[Json] = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in _pieces(reply.text))]
    for index, call in enumerate(_chat_calls(asked, reply)):
        arguments = call["function"].pop("arguments")
        deltas.append({"tool_calls": [{"index": index, **call}]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": p}}]} for p in _pieces(arguments)]
    head = _head(asked, "chatcmpl-", "chat.completion.chunk")
    ended = "tool_calls" if reply.tool_calls else "stop"
    choices: list[Json] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": ended})
    return _openai_stream(asked, reply, head, choices)


def _openai_stream(asked: Asked, reply: Reply, head: Json, choices: list[Json]) -> list[bytes]:
    wants_usage = (asked.body.get("stream_options") or {}).get("include_usage") and reply.tells_usage
    extra = {"usage": None} if wants_usage else {}
    told = [_data({**head, "choices": [choice], **extra}) for choice in choices]
    if wants_usage:
        told.append(_data({**head, "choices": [], "usage": _openai_usage(asked, reply)}))
    return [*told, b"data: [DONE]\n\n"]


def _completion(asked: Asked, reply: Reply) -> Json:
    choice: Json = {"index": 0, "text": reply.text, "finish_reason": "stop", "logprobs": None}
    if asked.body.get("logprobs") is not None:
        pieces = _pieces(reply.text)
        choice["logprobs"] = {
            "tokens": pieces,
            "token_logprobs": [-0.5] * len(pieces),
            "top_logprobs": [{piece: -0.5} for piece in pieces],
            "text_offset": [PIECE * index for index in range(len(pieces))],
        }
    document = {**_head(asked, "cmpl-", "text_completion"), "choices": [choice]}
    return _with_usage(document, reply, _openai_usage(asked, reply))


def _completion_events(asked: Asked, reply: Reply) -> list[bytes]:
    choices: list[Json] = [{"index": 0, "text": piece, "finish_reason": None} for piece in _pieces(reply.text)]
    choices.append({"index": 0, "text": "", "finish_reason": "stop"})
    return _openai_stream(asked, reply, _head(asked, "cmpl-", "text_completion"), choices)


def _embeddings(asked: Asked, reply: Reply) -> Json:
    given = asked.body.get("input")
    data = []
    for index, text in enumerate(given if isinstance(given, list) else [given]):
        digest = hashlib.sha256(json.dumps(text).encode()).digest()[:DIMENSIONS]
        vector: object = [byte / 255 for byte in digest]
        if asked.body.get("encoding_format") == "base64":
            packed = struct.pack(f"<{DIMENSIONS}f", *(byte / 255 for byte in digest))
            vector = base64.b64encode(packed).decode()
        data.append({"object": "embedding", "index": index, "embedding": vector})
    count = tokens_of(asked, reply).input
    document = {"object": "list", "model": asked.body.get("model"), "data": data}
    return _with_usage(document, reply, {"prompt_tokens": count, "total_tokens": count})


def _output_items(asked: Asked, reply: Reply) -> list[Json]:
    items: list[Json] = []
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}]
        item = {"id": f"msg_{asked.number}", "type": "message", "role": "assistant", "status": "completed"}
        items.append(item | {"content": content})
    for index, call in enumerate(reply.tool_calls):
        name = f"{asked.number}_{index}"
        item = {"id": f"fc_{name}", "type": "function_call", "call_id": f"call_{name}", "status": "completed"}
        items.append(item | {"name": call.name, "arguments": json.dumps(call.arguments)})
    return items


def _response(asked: Asked, reply: Reply) -> Json:
    tokens = tokens_of(asked, reply)
    document: Json = {
        "id": f"resp_{asked.number}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": asked.body.get("model"),
        "output": _output_items(asked, reply),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": asked.body.get("tools") or [],
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
    return _with_usage(document, reply, usage)


def _response_events(asked: Asked, reply: Reply) -> list[bytes]:
    whole = _response(asked, reply)
    begun = {key: value for key, value in whole.items() if key != "usage"} | {"status": "in_progress", "output": []}
    told: list[Json] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(whole["output"]):
        place = {"output_index": index, "item_id": item["id"]}
        if item["type"] == "message":
            part = {**place, "content_index": 0}
            text = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
            told.append({"type": "response.output_item.added", "output_index": index, "item": item | {"content": []}})
            told.append({"type": "response.content_part.added", **part, "part": text})
            deltas = [{"delta": piece, "logprobs": []} for piece in _pieces(reply.text)]
            told += [{"type": "response.output_text.delta", **part, **delta} for delta in deltas]
            told.append({"type": "response.output_text.done", **part, "text": reply.text, "logprobs": []})
            told.append({"type": "response.content_part.done", **part, "part": item["content"][0]})
        else:
            kind = "response.function_call_arguments"
            told.append({"type": "response.output_item.added", "output_index": index, "item": item | {"arguments": ""}})
            told += [{"type": f"{kind}.delta", **place, "delta": piece} for piece in _pieces(item["arguments"])]
            done = {"arguments": item["arguments"], "name": item["name"]}
            told.append({"type": f"{kind}.done", **place, **done})
        told.append({"type": "response.output_item.done", "output_index": index, "item": item})
    told.append({"type": "response.completed", "response": whole})
    return [_event({**event, "sequence_number": number}) for number, event in enumerate(told)]


def _blocks(asked: Asked, reply: Reply) -> list[Json]:
    blocks: list[Json] = [{"type": "text", "text": reply.text}] if reply.text or not reply.tool_calls else []
    for index, call in enumerate(reply.tool_calls):
        name = f"toolu_{asked.number}_{index}"
        blocks.append({"type": "tool_use", "id": name, "name": call.name, "input": call.arguments})
    return blocks


def _message(asked: Asked, reply: Reply) -> Json:
    tokens = tokens_of(asked, reply)
    document = {
        "id": f"msg_{asked.number}",
        "type": "message",
        "role": "assistant",
        "model": asked.body.get("model"),
        "content": _blocks(asked, reply),
        "stop_reason": "tool_use" if reply.tool_calls else "end_turn",
        "stop_sequence": None,
    }
    usage = {
        "input_tokens": tokens.input - tokens.cached,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": tokens.output,
    }
    return _with_usage(document, reply, usage)


def _message_events(asked: Asked, reply: Reply) -> list[bytes]:
    whole = _message(asked, reply)
    begun = whole | {"content": [], "stop_reason": None}
    if reply.tells_usage:
        begun["usage"] = whole["usage"] | {"output_tokens": 1}
    told: list[Json] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for index, block in enumerate(whole["content"]):
        if block["type"] == "text":
            empty, deltas = block | {"text": ""}, [{"type": "text_delta", "text": p} for p in _pieces(block["text"])]
        else:
            empty = block | {"input": {}}
            pieces = _pieces(json.dumps(block["input"]))
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        told.append({"type": "content_block_start", "index": index, "content_block": empty})
        told += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        told.append({"type": "content_block_stop", "index": index})
    ended: Json = {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None}}
    if reply.tells_usage:
        ended["usage"] = {"output_tokens": whole["usage"]["output_tokens"]}
    return [_event(event) for event in [*told, ended, {"type": "message_stop"}]]


def _count(asked: Asked, reply: Reply) -> Json:
    return {"input_tokens": tokens_of(asked, reply).input}


_PLAIN: dict[str, Callable[[Asked, Reply], Json]] = {
    "/v1/chat/completions": _chat,
    "/v1/completions": _completion,
    "/v1/embeddings": _embeddings,
    "/v1/responses": _response,
    "/v1/messages": _message,
    "/v1/messages/count_tokens": _count,
}
_EVENTS: dict[str, Callable[[Asked, Reply], list[bytes]]] = {
    "/v1/chat/completions": _chat_events,
    "/v1/completions": _completion_events,
    "/v1/responses": _response_events,
    "/v1/messages": _message_events,
}
PATHS = frozenset(_PLAIN)
