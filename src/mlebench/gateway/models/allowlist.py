"""What agents may send to each route: the fields of the body, and the headers that select beta versions.

A sandbox without a network is of little use if the provider searches the web, runs code or fetches files for the agent,
and a budget is of little use if an agent chooses another price. So only fields are passed on that are known to reach
the model and nothing else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.anthropic_fields import BETA_VERSIONS, COUNT_TOKENS, MESSAGES
from mlebench.gateway.models.openai_fields import CHAT, COMPLETIONS, EMBEDDINGS
from mlebench.gateway.models.responses_fields import RESPONSES
from mlebench.gateway.models.shapes import Contents, refuse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.gateway.models.config import ModelsConfig, Protocol
    from mlebench.gateway.models.routes import Route

FIELDS = {
    "/v1/chat/completions": CHAT,
    "/v1/responses": RESPONSES,
    "/v1/completions": COMPLETIONS,
    "/v1/embeddings": EMBEDDINGS,
    "/v1/messages": MESSAGES,
    "/v1/messages/count_tokens": COUNT_TOKENS,
}
"""The allowed fields of each route."""
HOSTED_FIELDS = frozenset(
    {
        *("messages", "input", "prompt", "system", "tools", "tool_choice", "include"),
        *("web_search_options", "search_parameters", "enable_search", "search_options"),
        *("mcp_servers", "container", "plugins", "connectors", "vector_store_ids"),
    }
)
"""The fields that `hosted_tools: true` allows with any content."""
_HOSTED_BETA = re.compile(r"(code-execution|files-api|mcp-client|skills|web-fetch|web-search)-[0-9-]+")
_BETA_HEADERS: dict[Protocol, tuple[str, tuple[str, ...]]] = {
    "anthropic": ("anthropic-beta", BETA_VERSIONS),
    "openai": ("openai-beta", ("responses=experimental",)),
}
_VERSION_HEADER = "anthropic-version"
_VERSION = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DEFAULT_VERSION = "2023-06-01"


def check_body(document: dict[str, Any], route: Route, allowed: frozenset[str]) -> Contents:
    """Raise GatewayError if a request has a field that the route does not allow; remove unknown fields that are null.

    Parameters
    ----------
    document : dict
        The request, as the agent sent it.
    route : Route
        Its route.
    allowed : frozenset of str
        What the models file allows in addition.

    Returns
    -------
    Contents
        The attachments and token numbers in the request.

    Raises
    ------
    GatewayError
        If the request is not allowed.
    """
    contents = Contents(allowed)
    FIELDS[route.path].check(document, "", contents)
    return contents


def check_headers(
    headers: Mapping[str, str], protocol: Protocol, allowed: frozenset[str], *, hosted_tools: bool
) -> dict[str, str]:
    """Return the agent's headers that go upstream; raise GatewayError if one asks for a feature that is not allowed.

    Parameters
    ----------
    headers : mapping of str to str
        The headers of the request, names in lower case.
    protocol : {"openai", "anthropic"}
        The protocol of the route.
    allowed : frozenset of str
        What the models file allows in addition, such as `anthropic-beta.files-api-2025-04-14`.
    hosted_tools : bool
        Whether versions that belong to hosted tools are allowed.
    """
    kept = {}
    if protocol == "anthropic":
        version = headers.get(_VERSION_HEADER, "")
        kept[_VERSION_HEADER] = version if _VERSION.fullmatch(version) else _DEFAULT_VERSION
    name, known = _BETA_HEADERS[protocol]
    values = [value.strip() for value in headers.get(name, "").split(",") if value.strip()]
    for value in values:
        is_hosted = hosted_tools and _HOSTED_BETA.fullmatch(value)
        if not (value in known or f"{name}.{value}" in allowed or is_hosted):
            refuse(f"{name}.{value}")
    if values:
        kept[name] = ",".join(values)
    return kept


def allowed_names(config: ModelsConfig, upstream: str) -> frozenset[str]:
    """Return the names of fields that a models file allows at an upstream in addition to the lists."""
    hosted = HOSTED_FIELDS if config.hosted_tools else frozenset[str]()
    return hosted | frozenset(config.upstreams[upstream].allowed_fields)
