"""The fields of requests that agents may send to `/v1/responses`.

The provider can keep conversations for this route. Agents send the whole conversation with each request instead: what a
stored one adds cannot be seen.
"""

from __future__ import annotations

from mlebench.gateway.models.leaf_shapes import Attachment, Choice, Count, Free, Name
from mlebench.gateway.models.openai_fields import COMMON, CUSTOM, FUNCTION, JSON_SCHEMA, REASONING, TOOL_CHOICE
from mlebench.gateway.models.shapes import FLAG, NUMBER, TEXT, AnyOf, ByType, Fields, ListOf, Shape

_TEXT, _NUMBER, _FLAG, _FREE = Shape(TEXT), Shape(NUMBER), Shape(FLAG), Free()
_ITEM = {"id": _TEXT, "status": _TEXT}
_CALL = _ITEM | {"call_id": _TEXT, "caller": Fields({"type": Choice("direct")})}
_SUMMARY = ListOf(Fields({"type": _TEXT, "text": _TEXT}))

RESPONSES_PARTS = ByType(
    {
        "input_text": Fields({"text": _TEXT}),
        "input_image": Fields({"image_url": Attachment(), "detail": _TEXT}),
        "input_file": Fields({"file_data": Attachment(base64=True), "filename": _TEXT, "detail": _TEXT}),
        "input_audio": Fields({"input_audio": Fields({"data": Attachment(base64=True), "format": _TEXT})}),
        "output_text": Fields({"text": _TEXT, "annotations": _FREE, "logprobs": _FREE}),
        "refusal": Fields({"refusal": _TEXT}),
    }
)
_OUTPUT = AnyOf(_TEXT, ListOf(RESPONSES_PARTS))
RESPONSES_ITEMS = ByType(
    {
        "message": Fields(
            _ITEM
            | {
                "role": Choice("user", "assistant", "system", "developer"),
                "content": AnyOf(_TEXT, ListOf(RESPONSES_PARTS)),
                "phase": _TEXT,
            },
            required=("role", "content"),  # an item with nothing but an id is a reference to a stored one
        ),
        "reasoning": Fields(_ITEM | {"summary": _SUMMARY, "content": _SUMMARY, "encrypted_content": _TEXT}),
        "function_call": Fields(_CALL | {"name": _TEXT, "namespace": _TEXT, "arguments": _TEXT}),
        "function_call_output": Fields(_CALL | {"name": _TEXT, "namespace": _TEXT, "output": _OUTPUT}),
        "custom_tool_call": Fields(_CALL | {"name": _TEXT, "namespace": _TEXT, "input": _TEXT}),
        "custom_tool_call_output": Fields(_CALL | {"name": _TEXT, "output": _OUTPUT}),
        "local_shell_call": Fields(_CALL | {"action": _FREE}),
        "local_shell_call_output": Fields(_CALL | {"output": _TEXT}),
        "shell_call": Fields(
            _CALL | {"action": _FREE, "max_output_length": _NUMBER, "environment": Fields({"type": Choice("local")})}
        ),
        "shell_call_output": Fields(_CALL | {"output": _FREE, "max_output_length": _NUMBER}),
        "apply_patch_call": Fields(_CALL | {"operation": _FREE}),
        "apply_patch_call_output": Fields(_CALL | {"output": _TEXT}),
        "computer_call": Fields(_CALL | {"action": _FREE, "actions": _FREE, "pending_safety_checks": _FREE}),
        "computer_call_output": Fields(
            _CALL
            | {
                "output": Fields({"type": Choice("computer_screenshot"), "image_url": Attachment()}),
                "acknowledged_safety_checks": _FREE,
            }
        ),
    },
    default="message",
)
_SIMPLE_TOOLS = {"function": Fields(FUNCTION), "custom": Fields(CUSTOM)}
RESPONSES_TOOLS = ByType(
    _SIMPLE_TOOLS
    | {
        "namespace": Fields({"name": Name(), "description": _TEXT, "tools": ListOf(ByType(_SIMPLE_TOOLS))}),
        "local_shell": Fields({}),
        # Without an environment, the provider chooses one.
        "shell": Fields({"environment": Fields({"type": Choice("local")}, required=("type",))}, ("environment",)),
        "apply_patch": Fields({}),
        "computer": Fields({}),
        "computer_use_preview": Fields({"display_width": _NUMBER, "display_height": _NUMBER, "environment": _TEXT}),
    }
)
_CHOSEN_TOOL = ByType(
    {name: Fields({"name": _TEXT}) for name in ("function", "custom")}
    | {name: Fields({}) for name in ("local_shell", "shell", "apply_patch", "computer", "computer_use_preview")}
)
RESPONSES = Fields(
    COMMON
    | {
        "input": AnyOf(_TEXT, ListOf(RESPONSES_ITEMS)),
        "instructions": _TEXT,
        "max_output_tokens": Count(),
        "max_tool_calls": _NUMBER,
        "tools": ListOf(RESPONSES_TOOLS),
        "tool_choice": AnyOf(
            TOOL_CHOICE,
            ByType(
                _CHOSEN_TOOL.types | {"allowed_tools": Fields({"mode": _TEXT, "tools": ListOf(_CHOSEN_TOOL)})},
            ),
        ),
        "parallel_tool_calls": _FLAG,
        "reasoning": Fields(REASONING),
        "text": Fields(
            {
                "format": ByType({"text": Fields({}), "json_object": Fields({}), "json_schema": Fields(JSON_SCHEMA)}),
                "verbosity": _TEXT,
            }
        ),
        "include": ListOf(
            Choice(
                "reasoning.encrypted_content",
                "message.output_text.logprobs",
                "message.input_image.image_url",
                "computer_call_output.output.image_url",
            )
        ),
        "store": Choice(False),
        "truncation": Choice("auto", "disabled"),
        "top_logprobs": _NUMBER,
        "stream_options": Fields({"include_obfuscation": _FLAG}),
    }
)
