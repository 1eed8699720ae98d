"""What a request may not make the provider do for it: reach the network, or act where no one counts.

A sandbox without a network is worth little if the model's provider searches the web, runs code or fetches files
on the agent's behalf. What is known to stay with the client passes; everything else is refused.
"""

from __future__ import annotations

from typing import Any

from mlebench.gateway.models.protocols import Refusal

_CLIENT_TOOLS = ("function", "custom", "local_shell", "shell", "apply_patch", "computer", "computer_use_preview")
_CLIENT_TOOL_PREFIXES = ("bash_", "text_editor_", "computer_", "memory_")
"""Tools of Anthropic's that the client runs itself; their names end in a date."""
_FIELDS = ("web_search_options", "mcp_servers", "container", "plugins", "connectors", "vector_store_ids")
_ADDRESS_FIELDS = ("url", "image_url", "file_url", "video_url", "audio_url")
_CONTENT_FIELDS = ("content", "output", "source", "file", *_ADDRESS_FIELDS)
"""Where content has content inside; not the arguments of tools, which may well speak of addresses."""


def refuse_hosted(body: dict[str, Any]) -> None:
    """Raise Refusal if a request asks the provider for more than an answer."""
    for name in _FIELDS:
        if body.get(name):
            raise _refusal(f"the field {name!r}")
    if isinstance(body.get("prompt"), dict):
        raise _refusal("a prompt that is stored there")
    tools = body.get("tools")
    for tool in tools if isinstance(tools, list) else []:
        kind = tool.get("type", "custom") if isinstance(tool, dict) else "custom"
        if not isinstance(kind, str) or not (kind in _CLIENT_TOOLS or kind.startswith(_CLIENT_TOOL_PREFIXES)):
            raise _refusal(f"the tool {str(kind)[:60]!r}")
        environment = tool.get("environment") if isinstance(tool, dict) else None
        if isinstance(environment, dict) and environment.get("type") != "local":
            raise _refusal(f"the tool {kind!r} in the provider's own environment")
    left: list[object] = [body.get("messages"), body.get("input")]
    while left:
        item = left.pop()
        if isinstance(item, list):
            left += item
        elif isinstance(item, dict):
            for name in _ADDRESS_FIELDS:
                address = item.get(name)
                if isinstance(address, str) and not address.lstrip()[:5].lower() == "data:":
                    raise _refusal("a picture or file by its address")
            left += [inner for key, inner in item.items() if key in _CONTENT_FIELDS]


def _refusal(what: str) -> Refusal:
    return Refusal(
        403,
        f"Models are asked for answers only, so {what} is refused; run tools yourself, and send contents instead of"
        " addresses.",
    )
