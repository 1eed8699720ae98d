"""The fields and beta versions that agents may send to the routes of the Anthropic API."""

from __future__ import annotations

from mlebench.gateway.models.leaf_shapes import Attachment, Choice, Count, Free, Name
from mlebench.gateway.models.openai_fields import CACHE_CONTROL
from mlebench.gateway.models.shapes import FLAG, NUMBER, TEXT, AnyOf, ByType, Fields, ListOf, Shape

_TEXT, _NUMBER, _FLAG = Shape(TEXT), Shape(NUMBER), Shape(FLAG)
_FREE, _SCHEMA = Free(), Free(is_schema=True)
_CACHED = {"cache_control": CACHE_CONTROL}
_BASE64 = Fields({"media_type": _TEXT, "data": Attachment(base64=True)})
_CITATIONS = Fields({"enabled": _FLAG})

_TEXT_BLOCK = Fields(_CACHED | {"text": _TEXT, "citations": _FREE})
_IMAGE = Fields(_CACHED | {"source": ByType({"base64": _BASE64})})
_SIMPLE_BLOCKS = AnyOf(_TEXT, ListOf(ByType({"text": _TEXT_BLOCK, "image": _IMAGE})))
_DOCUMENT = Fields(
    _CACHED
    | {
        "source": ByType(
            {
                "base64": _BASE64,
                "text": Fields({"media_type": _TEXT, "data": _TEXT}),
                "content": Fields({"content": _SIMPLE_BLOCKS}),
            }
        ),
        "title": _TEXT,
        "context": _TEXT,
        "citations": _CITATIONS,
    }
)
_SEARCH_RESULT = Fields(
    _CACHED
    | {"source": _TEXT, "title": _TEXT, "content": ListOf(ByType({"text": _TEXT_BLOCK})), "citations": _CITATIONS}
)
_CONTENT = {"text": _TEXT_BLOCK, "image": _IMAGE, "document": _DOCUMENT, "search_result": _SEARCH_RESULT}
MESSAGES_BLOCKS = ByType(
    _CONTENT
    | {
        "thinking": Fields({"thinking": _TEXT, "signature": _TEXT}),
        "redacted_thinking": Fields({"data": _TEXT}),
        "tool_use": Fields(
            _CACHED | {"id": _TEXT, "name": _TEXT, "input": _FREE, "caller": Fields({"type": Choice("direct")})}
        ),
        "tool_result": Fields(
            _CACHED | {"tool_use_id": _TEXT, "content": AnyOf(_TEXT, ListOf(ByType(_CONTENT))), "is_error": _FLAG}
        ),
    }
)
_TOOL = _CACHED | {
    "name": Name(),
    "strict": _FLAG,
    "input_examples": _FREE,
    "allowed_callers": ListOf(Choice("direct")),
}
_SCREEN = {
    "display_width_px": _NUMBER,
    "display_height_px": _NUMBER,
    "display_number": _NUMBER,
    "enable_zoom": _FLAG,
}
MESSAGES_TOOLS = ByType(
    {
        "custom": Fields(
            _TOOL | {"description": _TEXT, "input_schema": _SCHEMA, "eager_input_streaming": _FLAG},
            required=("name", "input_schema"),
        ),
        "bash_20241022": Fields(_TOOL),
        "bash_20250124": Fields(_TOOL),
        "text_editor_20241022": Fields(_TOOL),
        "text_editor_20250124": Fields(_TOOL),
        "text_editor_20250429": Fields(_TOOL),
        "text_editor_20250728": Fields(_TOOL | {"max_characters": _NUMBER}),
        "computer_20241022": Fields(_TOOL | _SCREEN),
        "computer_20250124": Fields(_TOOL | _SCREEN),
        "computer_20251124": Fields(_TOOL | _SCREEN),
        "memory_20250818": Fields(_TOOL),
    },
    default="custom",
)
"""Tools that the client runs. The provider gives each version a name of its own."""
_OUTPUT_FORMAT = Fields({"type": Choice("json_schema"), "schema": _SCHEMA})
COUNT_TOKENS = Fields(
    {
        "model": _TEXT,
        "messages": ListOf(
            Fields({"role": Choice("user", "assistant", "system"), "content": AnyOf(_TEXT, ListOf(MESSAGES_BLOCKS))})
        ),
        "system": AnyOf(_TEXT, ListOf(ByType({"text": _TEXT_BLOCK}))),
        "tools": ListOf(MESSAGES_TOOLS),
        "tool_choice": Fields(
            {"type": Choice("auto", "any", "tool", "none"), "name": _TEXT, "disable_parallel_tool_use": _FLAG}
        ),
        "thinking": Fields({"type": _TEXT, "budget_tokens": Count(), "display": _TEXT}),
        "cache_control": CACHE_CONTROL,
        "output_config": Fields({"effort": _TEXT, "format": _OUTPUT_FORMAT}),
        "output_format": _OUTPUT_FORMAT,
    }
)
MESSAGES = Fields(
    COUNT_TOKENS.fields
    | {
        "max_tokens": Count(),
        "metadata": Fields({"user_id": _TEXT}),
        "service_tier": Choice("auto", "standard_only"),
        "speed": Choice("standard"),
        "stop_sequences": ListOf(_TEXT),
        "stream": _FLAG,
        "temperature": _NUMBER,
        "top_k": _NUMBER,
        "top_p": _NUMBER,
    }
)

BETA_VERSIONS = (
    "claude-code-20250219",
    "computer-use-2024-10-22",
    "computer-use-2025-01-24",
    "computer-use-2025-11-24",
    "context-management-2025-06-27",
    "dev-full-thinking-2025-05-14",
    "effort-2025-11-24",
    "fine-grained-tool-streaming-2025-05-14",
    "interleaved-thinking-2025-05-14",
    "max-tokens-3-5-sonnet-2024-07-15",
    "model-context-window-exceeded-2025-08-26",
    "output-128k-2025-02-19",
    "pdfs-2024-09-25",
    "prompt-caching-2024-07-31",
    "structured-outputs-2025-11-13",
    "token-counting-2024-11-01",
    "token-efficient-tools-2025-02-19",
    "tool-examples-2025-10-29",
)
"""Values of the header `anthropic-beta` that change neither price nor place: other values add hosted features."""
