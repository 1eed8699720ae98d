"""Requests that would make the provider reach the network or run code; they are refused.

A sandbox without a network is of little use if the provider searches the web, runs code or fetches files for the
agent. Only tools and contents that are known to stay with the client pass.
"""

from __future__ import annotations

from typing import Any

from mlebench.gateway.models.errors import GatewayError

_CLIENT_TOOLS = ("function", "custom", "local_shell", "shell", "apply_patch", "computer", "computer_use_preview")
_CLIENT_TOOL_PREFIXES = ("bash_", "text_editor_", "computer_", "memory_")
"""Tools of the Anthropic API that the client runs; their names end in a date."""
_HOSTED_FIELDS = ("web_search_options", "mcp_servers", "container", "plugins", "connectors", "vector_store_ids")
_URL_FIELDS = ("url", "image_url", "file_url", "video_url", "audio_url")
_CONTENT_FIELDS = ("content", "output", "source", "file", *_URL_FIELDS)
"""Fields of content that hold further content. Arguments of tools are not among them: they may contain URLs."""


def refuse_hosted_tools(body: dict[str, Any]) -> None:
    """Raise GatewayError if a request asks the provider for more than an answer of the model."""
    for name in _HOSTED_FIELDS:
        if body.get(name):
            raise _refusal(f"the field {name!r}")
    if isinstance(body.get("prompt"), dict):
        raise _refusal("a prompt that the provider stores")
    tools = body.get("tools")
    for tool in tools if isinstance(tools, list) else []:
        kind = tool.get("type", "custom") if isinstance(tool, dict) else "custom"
        if not isinstance(kind, str) or not (kind in _CLIENT_TOOLS or kind.startswith(_CLIENT_TOOL_PREFIXES)):
            raise _refusal(f"the tool {str(kind)[:60]!r}")
        environment = tool.get("environment") if isinstance(tool, dict) else None
        if isinstance(environment, dict) and environment.get("type") != "local":
            raise _refusal(f"the tool {kind!r} in an environment of the provider")
    pending: list[object] = [body.get("messages"), body.get("input")]
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending += item
        elif isinstance(item, dict):
            for name in _URL_FIELDS:
                url = item.get(name)
                if isinstance(url, str) and not url.lstrip()[:5].lower() == "data:":
                    raise _refusal("a picture or file by its URL")
            pending += [inner for key, inner in item.items() if key in _CONTENT_FIELDS]


def _refusal(what: str) -> GatewayError:
    return GatewayError(
        403,
        f"The provider may only run the model, so {what} is not allowed. Run tools yourself, and send contents instead"
        " of URLs.",
    )
