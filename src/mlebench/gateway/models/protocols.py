"""The two protocols, as far as the gateway speaks them itself: its paths, its errors, its list of models."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mlebench.gateway.models.config import Protocol


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One path that is passed on."""

    path: str
    """As agents ask for it."""
    protocol: Protocol
    suffix: str
    """What follows the upstream's base address."""
    has_output: bool = True
    """Whether tokens are made and cost."""


ENDPOINTS = {
    endpoint.path: endpoint
    for endpoint in (
        Endpoint("/v1/chat/completions", "openai", "/chat/completions"),
        Endpoint("/v1/responses", "openai", "/responses"),
        Endpoint("/v1/completions", "openai", "/completions"),
        Endpoint("/v1/embeddings", "openai", "/embeddings"),
        Endpoint("/v1/messages", "anthropic", "/v1/messages"),
        Endpoint("/v1/messages/count_tokens", "anthropic", "/v1/messages/count_tokens", has_output=False),
    )
}
MODELS_PATH = "/v1/models"
OUTPUT_BOUNDS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""Fields with which a request bounds its output, in tokens."""

_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    405: "invalid_request_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
}


class Refusal(Exception):
    """Raised when the gateway itself answers a request with an error."""

    def __init__(self, status: int, message: str, *, code: str | None = None, retry: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.retry = retry
        """Whether clients should ask again; the official ones heed it."""

    def body(self, protocol: Protocol) -> bytes:
        """Return the error in a protocol's form."""
        kind = self.code if self.code == "budget_exceeded" else _KINDS.get(self.status, "api_error")
        if protocol == "anthropic":
            document: dict[str, Any] = {"type": "error", "error": {"type": kind, "message": self.message}}
        else:
            code = self.code or kind
            document = {"error": {"message": self.message, "type": kind, "param": None, "code": code}}
        return json.dumps(document).encode()


def protocol_of(path: str, headers: dict[str, str]) -> Protocol:
    """Return the protocol that a client speaks, whether or not the path exists."""
    if path in ENDPOINTS:
        return ENDPOINTS[path].protocol
    return "anthropic" if path.startswith("/v1/messages") or "anthropic-version" in headers else "openai"


def model_list(protocol: Protocol, names: Iterable[str]) -> bytes:
    """Return the answer to `GET /v1/models`."""
    names = sorted(names)
    if protocol == "anthropic":
        entries = [
            {"type": "model", "id": name, "display_name": name, "created_at": "1970-01-01T00:00:00Z"} for name in names
        ]
        ends = {"first_id": names[0] if names else None, "last_id": names[-1] if names else None}
        return json.dumps({"data": entries, "has_more": False, **ends}).encode()
    objects = [{"id": name, "object": "model", "created": 0, "owned_by": "gateway"} for name in names]
    return json.dumps({"object": "list", "data": objects}).encode()
