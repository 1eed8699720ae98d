"""Scripted replies in the formats of the OpenAI and Anthropic APIs: as JSON objects and as event streams.

Each API has a module with two functions of a request and a reply: `document` returns the whole response as one JSON
object, `events` the events of a stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.gateway.scripted.formats import chat, completions, embeddings, messages, responses
from mlebench.gateway.scripted.formats.parts import Json, token_counts

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.gateway.scripted.script import Reply, Request

__all__ = ["COUNT_TOKENS_PATH", "PATHS", "Json", "document", "error", "events", "stream_reports_usage", "token_counts"]

COUNT_TOKENS_PATH = messages.COUNT_TOKENS_PATH
_DOCUMENTS: dict[str, Callable[[Request, Reply], Json]] = {
    "/v1/chat/completions": chat.document,
    "/v1/completions": completions.document,
    "/v1/embeddings": embeddings.document,
    "/v1/responses": responses.document,
    "/v1/messages": messages.document,
    COUNT_TOKENS_PATH: messages.token_count,
}
_EVENTS: dict[str, Callable[[Request, Reply], list[bytes]]] = {
    "/v1/chat/completions": chat.events,
    "/v1/completions": completions.events,
    "/v1/responses": responses.events,
    "/v1/messages": messages.events,
}
_ERROR_TYPES = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
PATHS = frozenset(_DOCUMENTS)


def document(request: Request, reply: Reply) -> Json:
    """Return the response as one JSON object."""
    return _DOCUMENTS[request.path](request, reply)


def events(request: Request, reply: Reply) -> list[bytes]:
    """Return the response as server-sent events."""
    return _EVENTS[request.path](request, reply)


def stream_reports_usage(request: Request, reply: Reply) -> bool:
    """Tell whether the events of a stream contain token counts."""
    requested = (request.body.get("stream_options") or {}).get("include_usage")
    return reply.reports_usage and bool(requested or request.path in ("/v1/messages", "/v1/responses"))


def error(path: str, reply: Reply) -> Json:
    """Return the body of an error response."""
    details = {"type": _ERROR_TYPES.get(reply.status, "api_error"), "message": reply.text or "scripted error"}
    if path.startswith("/v1/messages"):
        return {"type": "error", "error": details}
    return {"error": details | {"param": None, "code": reply.code}}
