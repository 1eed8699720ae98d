"""Requests: from the body that an agent sent to the request that goes upstream."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.errors import GatewayError
from mlebench.gateway.models.hosted_tools import refuse_hosted_tools
from mlebench.gateway.models.token_counts import estimate_tokens, text_bytes

if TYPE_CHECKING:
    from mlebench.gateway.models.config import ModelEntry, ModelsConfig
    from mlebench.gateway.models.routes import Route

MAX_ITEMS = 2_000_000
"""Brackets and commas in a body. Parsing a list such as `[[],[],...` takes twenty times its size, and seconds."""
MAX_NAME_CHARACTERS = 200
OUTPUT_LIMIT_FIELDS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""Fields in which a request limits its output tokens."""
VOLATILE_FIELDS = (
    "user",
    "metadata",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "stream_options",
)
"""Fields that differ between equal calls, or affect only how a response is sent. Recording keys ignore them."""


@dataclass(frozen=True, slots=True)
class UpstreamRequest:
    """A request that is ready to be sent to an upstream."""

    model: str
    """The model name that agents request, without prefix."""
    upstream: str
    upstream_model: str
    body: bytes
    key: str
    """SHA-256 of the path and the body without volatile fields; equal requests have equal keys."""
    stream: bool
    strip_usage: bool
    """Whether the gateway, and not the agent, requested the usage event at the end of the stream."""
    text_bytes: int
    """Bytes of text in the request."""
    max_tokens: int
    """Estimated input tokens plus `max_output_tokens`."""
    max_output_tokens: int
    """The limit on output tokens, over all choices; 0 if the request has none."""


def prepare_request(body: bytes, route: Route, config: ModelsConfig) -> UpstreamRequest:
    """Parse the body of an agent's request and build the upstream request.

    Raises
    ------
    GatewayError
        If the body is invalid, the model is unknown, or the request is not allowed.
    """
    try:
        return _prepare(_parse(body), route, config)
    except RecursionError:
        raise GatewayError(400, "The body is nested too deeply.") from None
    except ValueError:  # 1e999, which Python parses as infinity
        raise GatewayError(400, "The body has a number that JSON cannot represent.") from None


def _prepare(document: dict[str, Any], route: Route, config: ModelsConfig) -> UpstreamRequest:
    if not isinstance(document.get("stream") or False, bool):
        raise GatewayError(400, "The field 'stream' must be true or false.")
    name, entry = _find_model(document, route, config)
    upstream = config.upstreams[entry.upstream]
    document["model"] = entry.model or name
    for field, value in entry.parameters.items():
        if value is None:
            document.pop(field, None)
        else:
            document[field] = value
    if document.get("background"):
        raise GatewayError(400, "Background responses are not supported. Remove the field 'background'.")
    if not config.hosted_tools:
        refuse_hosted_tools(document)
    stream = document.get("stream") is True
    key = _key(route.path, document)
    strip_usage = False
    if stream and upstream.stream_usage and route.upstream_path in ("/chat/completions", "/completions"):
        given = document.get("stream_options")
        options = given if isinstance(given, dict) else {}
        strip_usage = options.get("include_usage") is not True
        document["stream_options"] = options | {"include_usage": True}
    size = text_bytes([value for field, value in document.items() if field != "model"])
    input_tokens = estimate_tokens(size) if route.has_output else 0
    output_tokens = _max_output_tokens(document) if route.has_output else 0
    return UpstreamRequest(
        model=name,
        upstream=entry.upstream,
        upstream_model=document["model"],
        body=json.dumps(document, separators=(",", ":"), allow_nan=False).encode(),
        key=key,
        stream=stream,
        strip_usage=strip_usage,
        text_bytes=size,
        max_tokens=input_tokens + output_tokens,
        max_output_tokens=output_tokens,
    )


def _find_model(document: dict[str, Any], route: Route, config: ModelsConfig) -> tuple[str, ModelEntry]:
    """Return the name and the entry of the requested model."""
    requested = document.get("model")
    if not isinstance(requested, str) or not requested:
        raise GatewayError(400, "The request names no model. Set the field 'model'.")
    if len(requested) > MAX_NAME_CHARACTERS or not requested.isprintable():
        raise GatewayError(400, f"A model name has up to {MAX_NAME_CHARACTERS} printable characters.")
    found = config.find(requested)
    if found is None:
        known = ", ".join(sorted(config.models)[:20])
        message = f"The model {requested!r} is not available. Available models: {known}."
        raise GatewayError(404, message, code="model_not_found")
    name, entry = found
    protocol = config.upstreams[entry.upstream].protocol
    if protocol != route.protocol:
        message = f"The model {name!r} is available in the {protocol.capitalize()} protocol only, not at {route.path}."
        raise GatewayError(404, message, code="model_not_found")
    return name, entry


def _max_output_tokens(document: dict[str, Any]) -> int:
    limits = [document[field] for field in OUTPUT_LIMIT_FIELDS if isinstance(document.get(field), int)]
    choices = n if isinstance(n := document.get("n"), int) and n > 1 else 1
    return max(0, min(limits)) * choices if limits else 0


def _parse(body: bytes) -> dict[str, Any]:
    if sum(map(body.count, (b"[", b"{", b","))) > MAX_ITEMS:
        raise GatewayError(400, f"The body has more than {MAX_ITEMS} lists, objects and items.")
    try:
        document = json.loads(body, parse_constant=_refuse_constant)
    except ValueError as error:  # also too many digits, and bytes that are not UTF-8
        raise GatewayError(400, f"The body is not valid JSON: {str(error)[:200]}.") from None
    if not isinstance(document, dict):
        raise GatewayError(400, "The body must be a JSON object.")
    return document


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON value")


def _key(path: str, document: dict[str, Any]) -> str:
    kept = {field: value for field, value in document.items() if field not in VOLATILE_FIELDS}
    content = json.dumps([path, kept], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()
