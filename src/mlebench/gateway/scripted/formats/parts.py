"""What the formats of several APIs share: text in pieces, server-sent events, token counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mlebench.gateway.scripted.script import TokenCounts, count_tokens

if TYPE_CHECKING:
    from mlebench.gateway.scripted.script import Reply, Request

PIECE_CHARACTERS = 8
"""Characters of text in one event of a stream."""
Json = dict[str, Any]
_INPUT_FIELDS = ("messages", "input", "prompt", "system")
_PATHS_WITHOUT_OUTPUT = ("/v1/embeddings", "/v1/messages/count_tokens")


def token_counts(request: Request, reply: Reply) -> TokenCounts:
    """Return the token counts of one response."""
    inputs = {name: value for name, value in request.body.items() if name in _INPUT_FIELDS}
    text = reply.text + "".join(call.name + json.dumps(call.arguments) for call in reply.tool_calls)
    output = 0 if request.path in _PATHS_WITHOUT_OUTPUT else count_tokens(text) + reply.reasoning
    return TokenCounts(count_tokens(json.dumps(inputs)), reply.cached, output)


def pieces(text: str) -> list[str]:
    """Return a text cut into the pieces of a stream."""
    return [text[start : start + PIECE_CHARACTERS] for start in range(0, len(text), PIECE_CHARACTERS)]


def data_event(document: Json) -> bytes:
    """Return a server-sent event without a name, as OpenAI's completion APIs send it."""
    return f"data: {json.dumps(document)}\n\n".encode()


def named_event(document: Json) -> bytes:
    """Return a server-sent event that is named after the document's type."""
    return f"event: {document['type']}\n".encode() + data_event(document)


def envelope(request: Request, id_prefix: str, kind: str) -> Json:
    """Return the fields with which the objects of OpenAI's completion APIs begin."""
    return {"id": f"{id_prefix}{request.number}", "object": kind, "created": 0, "model": request.body.get("model")}


def with_usage(document: Json, reply: Reply, usage: Json) -> Json:
    """Return the document with its token counts, unless the reply does not report them."""
    return document | {"usage": usage} if reply.reports_usage else document


def completion_usage(request: Request, reply: Reply) -> Json:
    """Return the `usage` object of OpenAI's completion APIs."""
    tokens = token_counts(request, reply)
    return {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens_details": {"reasoning_tokens": reply.reasoning},
    }


def completion_events(request: Request, reply: Reply, head: Json, choices: list[Json]) -> list[bytes]:
    """Return the stream of a completion API: an event for each choice, the usage if requested, and the end."""
    sends_usage = (request.body.get("stream_options") or {}).get("include_usage") and reply.reports_usage
    extra = {"usage": None} if sends_usage else {}
    events = [data_event({**head, "choices": [choice], **extra}) for choice in choices]
    if sends_usage:
        events.append(data_event({**head, "choices": [], "usage": completion_usage(request, reply)}))
    return [*events, b"data: [DONE]\n\n"]
