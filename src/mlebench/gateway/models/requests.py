"""Requests: from the body that an agent sent to the request that goes upstream."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.allowlist import allowed_names, check_body, check_headers
from mlebench.gateway.models.errors import GatewayError
from mlebench.gateway.models.expected_tokens import expected_tokens

if TYPE_CHECKING:
    from mlebench.gateway.models.config import ModelEntry, ModelsConfig
    from mlebench.gateway.models.connection import Request
    from mlebench.gateway.models.expected_tokens import ExpectedTokens
    from mlebench.gateway.models.routes import Route

MAX_ITEMS = 2_000_000
"""Brackets and commas in a body. Parsing a list such as `[[],[],...` takes twenty times its size, and seconds."""
MAX_NAME_CHARACTERS = 200
_HOSTED_SUFFIXES = (":online",)
"""Ends of model names that make a provider search the web."""
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
    headers: dict[str, str]
    """The agent's headers that go upstream."""
    query: str
    """The query of the upstream's URL, with its question mark."""
    key: str
    """SHA-256 of the path and the body without volatile fields; equal requests have equal keys."""
    stream: bool
    strip_usage: bool
    """Whether the gateway, and not the agent, requested the usage event at the end of the stream."""
    expected: ExpectedTokens
    """The tokens that the call may use."""


def prepare_request(body: bytes, request: Request, route: Route, config: ModelsConfig) -> UpstreamRequest:
    """Parse the body of an agent's request and build the upstream request.

    Parameters
    ----------
    body : bytes
        The body.
    request : Request
        The head of the request.
    route : Route
        Its route.
    config : ModelsConfig
        The upstreams and models, and what is allowed.

    Raises
    ------
    GatewayError
        If the body is invalid, the model is unknown, or the request is not allowed.
    """
    try:
        return _prepare(_parse(body), request, route, config)
    except RecursionError:
        raise GatewayError(400, "The body is nested too deeply.") from None
    except ValueError:  # 1e999, which Python parses as infinity
        raise GatewayError(400, "The body has a number that JSON cannot represent.") from None


def _prepare(document: dict[str, Any], request: Request, route: Route, config: ModelsConfig) -> UpstreamRequest:
    if not isinstance(document.get("stream") or False, bool):
        raise GatewayError(400, "The field 'stream' must be true or false.")
    name, entry = _find_model(document, route, config)
    upstream = config.upstreams[entry.upstream]
    if document.get("background"):
        raise GatewayError(400, "Background responses are not supported. Remove the field 'background'.")
    document = {field: value for field, value in document.items() if field not in {*entry.parameters, "background"}}
    allowed = allowed_names(config, entry.upstream)
    contents = check_body(document, route, allowed)
    headers = check_headers(request.headers, route.protocol, allowed, hosted_tools=config.hosted_tools)
    document["model"] = entry.model or name
    document |= {field: value for field, value in entry.parameters.items() if value is not None}
    stream = document.get("stream") is True
    key = _key(route.path, document)
    strip_usage = False
    if stream and upstream.stream_usage and route.upstream_path in ("/chat/completions", "/completions"):
        given = document.get("stream_options")
        options = given if isinstance(given, dict) else {}
        strip_usage = options.get("include_usage") is not True
        document["stream_options"] = options | {"include_usage": True}
    body = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    return UpstreamRequest(
        model=name,
        upstream=entry.upstream,
        upstream_model=document["model"],
        body=body,
        headers=headers,
        query="?beta=true" if route.protocol == "anthropic" and request.query == "beta=true" else "",
        key=key,
        stream=stream,
        strip_usage=strip_usage,
        expected=expected_tokens(document, len(body), contents, route, upstream.max_output_tokens),
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
    if name not in config.models and not config.hosted_tools and name.endswith(_HOSTED_SUFFIXES):
        raise GatewayError(
            403, f"The model {requested!r} uses the network. Ask for it without {name[name.rfind(':') :]!r}."
        )
    protocol = config.upstreams[entry.upstream].protocol
    if protocol != route.protocol:
        message = f"The model {name!r} is available in the {protocol.capitalize()} protocol only, not at {route.path}."
        raise GatewayError(404, message, code="model_not_found")
    return name, entry


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
