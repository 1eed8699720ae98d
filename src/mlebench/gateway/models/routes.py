"""The routes of the model gateway: the paths of both APIs that it passes on, and the list of models."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mlebench.gateway.models.config import Protocol


@dataclass(frozen=True, slots=True)
class Route:
    """A path whose requests go to an upstream."""

    path: str
    """The path that agents request."""
    protocol: Protocol
    upstream_path: str
    """The path that is appended to the upstream's base URL."""
    has_output: bool = True
    """Whether the model generates."""
    is_charged: bool = True
    """Whether the provider charges tokens."""


ROUTES = {
    route.path: route
    for route in (
        Route("/v1/chat/completions", "openai", "/chat/completions"),
        Route("/v1/responses", "openai", "/responses"),
        Route("/v1/completions", "openai", "/completions"),
        Route("/v1/embeddings", "openai", "/embeddings", has_output=False),
        Route("/v1/messages", "anthropic", "/v1/messages"),
        Route(
            "/v1/messages/count_tokens",
            "anthropic",
            "/v1/messages/count_tokens",
            has_output=False,
            is_charged=False,
        ),
    )
}
MODELS_PATH = "/v1/models"
"""The gateway answers `GET` on this path itself."""


def protocol_of(path: str, headers: Mapping[str, str]) -> Protocol:
    """Return the protocol of a client, from a path that may not exist and headers with lower-case names."""
    if path in ROUTES:
        return ROUTES[path].protocol
    return "anthropic" if path.startswith("/v1/messages") or "anthropic-version" in headers else "openai"


def model_list(protocol: Protocol, names: Iterable[str]) -> bytes:
    """Return the body of the response to `GET /v1/models`."""
    names = sorted(names)
    if protocol == "anthropic":
        entries = [
            {"type": "model", "id": name, "display_name": name, "created_at": "1970-01-01T00:00:00Z"} for name in names
        ]
        ends = {"first_id": names[0] if names else None, "last_id": names[-1] if names else None}
        return json.dumps({"data": entries, "has_more": False, **ends}).encode()
    objects = [{"id": name, "object": "model", "created": 0, "owned_by": "gateway"} for name in names]
    return json.dumps({"object": "list", "data": objects}).encode()
