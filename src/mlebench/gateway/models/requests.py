"""From the body that an agent sent to the one that goes upstream."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.hosted import refuse_hosted
from mlebench.gateway.models.protocols import OUTPUT_BOUNDS, Refusal
from mlebench.gateway.models.usage import estimate, text_bytes

if TYPE_CHECKING:
    from mlebench.gateway.models.config import ModelsConfig
    from mlebench.gateway.models.protocols import Endpoint

MOST_ITEMS = 2_000_000
"""Brackets and commas in a body: a list like `[[],[],...` takes twenty times its size in memory, and seconds."""
MOST_NAME = 200
VOLATILE = ("user", "metadata", "prompt_cache_key", "prompt_cache_retention", "safety_identifier", "stream_options")
"""Fields that differ from call to call, or change only how an answer is told: not part of a recording's key."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that is ready to go upstream."""

    model: str
    """The name that agents ask for, without prefix."""
    upstream: str
    upstream_model: str
    content: bytes
    """The body that goes upstream."""
    key: str
    """SHA-256 of what makes two requests equal: path and body without volatile fields."""
    stream: bool
    drops_usage: bool
    """Whether the last event of the stream, with the usage, was asked for by the gateway alone."""
    text_bytes: int
    """Bytes of text in the request."""
    tokens: int
    """Most tokens that it may take, as far as it says."""
    output_tokens: int
    """The part of them that is output."""


def prepare(body: bytes, endpoint: Endpoint, config: ModelsConfig) -> Prepared:
    """Read and change a body; raise Refusal if it cannot be passed on."""
    try:
        return _prepare(_parse(body), endpoint, config)
    except RecursionError:
        raise Refusal(400, "The body is nested too deeply.") from None
    except ValueError:  # 1e999, which is read as infinite
        raise Refusal(400, "The body has a number that JSON cannot carry.") from None


def _prepare(document: dict[str, Any], endpoint: Endpoint, config: ModelsConfig) -> Prepared:
    asked = document.get("model")
    if not isinstance(asked, str) or not asked:
        raise Refusal(400, "The request names no model; give its name in the field 'model'.")
    if len(asked) > MOST_NAME or not asked.isprintable():
        raise Refusal(400, f"A model's name has up to {MOST_NAME} printable characters.")
    if not isinstance(document.get("stream") or False, bool):
        raise Refusal(400, "The field 'stream' is either true or false.")
    found = config.find(asked)
    if found is None:
        raise Refusal(404, _unknown(asked, config), code="model_not_found")
    name, entry = found
    upstream = config.upstreams[entry.upstream]
    if upstream.protocol != endpoint.protocol:
        raise Refusal(
            404,
            f"The model {name!r} is to be had in the {upstream.protocol.capitalize()} protocol only, "
            f"not at {endpoint.path}.",
            code="model_not_found",
        )
    document["model"] = entry.model or name
    for field, value in entry.parameters.items():
        if value is None:
            document.pop(field, None)
        else:
            document[field] = value
    if document.get("background"):
        raise Refusal(400, "Answers in the background cannot be fetched here; leave out the field 'background'.")
    if not config.hosted_tools:
        refuse_hosted(document)
    stream = document.get("stream") is True
    key = _digest(endpoint.path, document)
    drops_usage = False
    if stream and upstream.stream_usage and endpoint.suffix in ("/chat/completions", "/completions"):
        given = document.get("stream_options")
        options = given if isinstance(given, dict) else {}
        drops_usage = options.get("include_usage") is not True
        document["stream_options"] = options | {"include_usage": True}
    bounds = [document[field] for field in OUTPUT_BOUNDS if isinstance(document.get(field), int)]
    count = text_bytes([value for field, value in document.items() if field != "model"])
    answers = n if isinstance(n := document.get("n"), int) and n > 1 else 1
    output = max(0, min(bounds)) * answers if bounds and endpoint.has_output else 0
    return Prepared(
        model=name,
        upstream=entry.upstream,
        upstream_model=document["model"],
        content=json.dumps(document, separators=(",", ":"), allow_nan=False).encode(),
        key=key,
        stream=stream,
        drops_usage=drops_usage,
        text_bytes=count,
        tokens=(estimate(count) if endpoint.has_output else 0) + output,
        output_tokens=output,
    )


def _parse(body: bytes) -> dict[str, Any]:
    if sum(map(body.count, (b"[", b"{", b","))) > MOST_ITEMS:
        raise Refusal(400, f"The body has more than {MOST_ITEMS} lists, objects and items.")
    try:
        document = json.loads(body, parse_constant=_no_constant)
    except ValueError as error:  # also too many digits, and bytes that are not UTF-8
        raise Refusal(400, f"The body is not valid JSON: {str(error)[:200]}.") from None
    if not isinstance(document, dict):
        raise Refusal(400, "The body must be a JSON object.")
    return document


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON value")


def _digest(path: str, document: dict[str, Any]) -> str:
    kept = {field: value for field, value in document.items() if field not in VOLATILE}
    content = json.dumps([path, kept], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()


def _unknown(asked: str, config: ModelsConfig) -> str:
    known = ", ".join(sorted(config.models)[:20])
    return f"The model {asked!r} is not offered here; there are {known}."
