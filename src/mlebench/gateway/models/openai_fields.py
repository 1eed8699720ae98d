"""The fields of requests that agents may send to the routes of the OpenAI API.

They reach the model and nothing else: no address, no stored file or conversation, no tool that the provider runs, no
other model, no other price. The lists hold what common clients send, and the sampling fields of vLLM.
"""

from __future__ import annotations

from mlebench.gateway.models.leaf_shapes import Attachment, Choice, Count, Free, Name, TokenId
from mlebench.gateway.models.shapes import FLAG, NUMBER, TEXT, AnyOf, ByType, Fields, ListOf, MapOf, Shape

_TEXT, _NUMBER, _FLAG = Shape(TEXT), Shape(NUMBER), Shape(FLAG)
_SCALAR = Shape(TEXT, NUMBER, FLAG)
_TEXTS = AnyOf(_TEXT, ListOf(_TEXT))
_FREE, _SCHEMA = Free(), Free(is_schema=True)
_DATA_URL, _DATA = Attachment(), Attachment(base64=True)
_PROMPT = AnyOf(_TEXT, ListOf(AnyOf(_TEXT, TokenId(), ListOf(TokenId()))))

CACHE_CONTROL = Fields({"type": Choice("ephemeral"), "ttl": Choice("5m")})
"""A longer time in the cache has another price."""

COMMON = {
    "model": _TEXT,
    "user": _TEXT,
    "metadata": MapOf(_TEXT),
    "safety_identifier": _TEXT,
    "prompt_cache_key": _TEXT,
    "prompt_cache_retention": _TEXT,
    "service_tier": Choice("auto", "default"),
    "stream": _FLAG,
    "temperature": _NUMBER,
    "top_p": _NUMBER,
}
_SAMPLING = {
    "max_tokens": Count(),
    "n": Count(),
    "best_of": Count(),
    "stop": _TEXTS,
    "seed": _NUMBER,
    "frequency_penalty": _NUMBER,
    "presence_penalty": _NUMBER,
    "logit_bias": MapOf(_NUMBER),
    "stream_options": Fields({"include_usage": _FLAG, "include_obfuscation": _FLAG}),
    "echo": _FLAG,
    # vLLM and other model servers
    "top_k": _NUMBER,
    "min_p": _NUMBER,
    "repetition_penalty": _NUMBER,
    "length_penalty": _NUMBER,
    "min_tokens": _NUMBER,
    "stop_token_ids": ListOf(_NUMBER),
    "bad_words": ListOf(_TEXT),
    "allowed_token_ids": ListOf(_NUMBER),
    "include_stop_str_in_output": _FLAG,
    "ignore_eos": _FLAG,
    "skip_special_tokens": _FLAG,
    "spaces_between_special_tokens": _FLAG,
    "add_special_tokens": _FLAG,
    "truncate_prompt_tokens": _NUMBER,
    "prompt_logprobs": _SCALAR,
    "guided_json": _SCHEMA,
    "guided_regex": _TEXT,
    "guided_choice": ListOf(_TEXT),
    "guided_grammar": _TEXT,
    "structured_outputs": Fields(
        {"json": _SCHEMA, "regex": _TEXT, "choice": ListOf(_TEXT), "grammar": _TEXT, "json_object": _FLAG}
    ),
}

JSON_SCHEMA = {"name": _TEXT, "description": _TEXT, "schema": _SCHEMA, "strict": _FLAG}
FUNCTION = {"name": Name(), "description": _TEXT, "parameters": _SCHEMA, "strict": _FLAG}
_GRAMMAR = {"syntax": _TEXT, "definition": _TEXT}
_CUSTOM_FORMAT = {"text": Fields({}), "grammar": Fields(_GRAMMAR | {"grammar": Fields(_GRAMMAR)})}
CUSTOM = {"name": Name(), "description": _TEXT, "format": ByType(_CUSTOM_FORMAT)}
TOOL_CHOICE = Choice("auto", "none", "required", "any")
_AUDIO = Fields({"data": _DATA, "format": _TEXT})
REASONING = {"effort": _TEXT, "summary": _TEXT, "generate_summary": _TEXT}

CHAT_PARTS = ByType(
    {
        "text": Fields({"text": _TEXT, "cache_control": CACHE_CONTROL, "annotations": _FREE}),
        "image_url": Fields(
            {
                "image_url": AnyOf(_DATA_URL, Fields({"url": _DATA_URL, "detail": _TEXT, "format": _TEXT})),
                "cache_control": CACHE_CONTROL,
            }
        ),
        "video_url": Fields({"video_url": Fields({"url": _DATA_URL})}),
        "audio_url": Fields({"audio_url": Fields({"url": _DATA_URL})}),
        "input_audio": Fields({"input_audio": _AUDIO}),
        "file": Fields({"file": Fields({"file_data": _DATA, "filename": _TEXT, "format": _TEXT})}),
        "refusal": Fields({"refusal": _TEXT}),
        "thinking": Fields({"thinking": _TEXT, "signature": _TEXT}),
        "redacted_thinking": Fields({"data": _TEXT}),
    }
)
_CALLED = {"id": _TEXT, "index": _NUMBER, "extra_content": _FREE, "provider_specific_fields": _FREE}
_TOOL_CALLS = ByType(
    {
        "function": Fields(
            _CALLED | {"function": Fields({"name": _TEXT, "arguments": _TEXT, "provider_specific_fields": _FREE})}
        ),
        "custom": Fields(_CALLED | {"custom": Fields({"name": _TEXT, "input": _TEXT})}),
    },
    default="function",
)
_MESSAGE = Fields(
    {
        "role": Choice("system", "developer", "user", "assistant", "tool", "function"),
        "content": AnyOf(_TEXT, ListOf(CHAT_PARTS)),
        "name": _TEXT,
        "tool_calls": ListOf(_TOOL_CALLS),
        "tool_call_id": _TEXT,
        "function_call": Fields({"name": _TEXT, "arguments": _TEXT}),
        "refusal": _TEXT,
        "annotations": _FREE,
        "reasoning": _TEXT,
        "reasoning_content": _TEXT,
        "reasoning_details": _FREE,
        "thinking_blocks": _FREE,
        "provider_specific_fields": _FREE,
        "cache_control": CACHE_CONTROL,
        "prefix": _FLAG,
    }
)
CHAT_TOOLS = ByType(
    {
        "function": Fields({"function": Fields(FUNCTION), "cache_control": CACHE_CONTROL}),
        "custom": Fields({"custom": Fields(CUSTOM)}),
    }
)
CHAT = Fields(
    COMMON
    | _SAMPLING
    | {
        "messages": ListOf(_MESSAGE),
        "max_completion_tokens": Count(),
        "tools": ListOf(CHAT_TOOLS),
        "tool_choice": AnyOf(
            TOOL_CHOICE,
            ByType(
                {
                    "function": Fields({"function": Fields({"name": _TEXT})}),
                    "custom": Fields({"custom": Fields({"name": _TEXT})}),
                    "allowed_tools": Fields({"allowed_tools": Fields({"mode": _TEXT, "tools": ListOf(CHAT_TOOLS)})}),
                }
            ),
        ),
        "parallel_tool_calls": _FLAG,
        "functions": ListOf(Fields(FUNCTION)),
        "function_call": AnyOf(_TEXT, Fields({"name": _TEXT})),
        "response_format": ByType(
            {
                "text": Fields({}),
                "json_object": Fields({"schema": _SCHEMA}),
                "json_schema": Fields({"json_schema": Fields(JSON_SCHEMA)}),
            }
        ),
        "modalities": ListOf(Choice("text")),
        "logprobs": _FLAG,
        "top_logprobs": _NUMBER,
        "verbosity": _TEXT,
        "store": Choice(False),
        "reasoning_effort": _TEXT,
        "include_reasoning": _FLAG,
        "reasoning": Fields(REASONING | {"max_tokens": Count(), "exclude": _FLAG, "enabled": _FLAG}),
        "thinking": Fields({"type": _TEXT, "budget_tokens": Count()}),
        "enable_thinking": _FLAG,
        "thinking_budget": Count(),
        "chat_template_kwargs": MapOf(_SCALAR),
        "add_generation_prompt": _FLAG,
        "continue_final_message": _FLAG,
        "usage": Fields({"include": _FLAG}),
    }
)
COMPLETIONS = Fields(COMMON | _SAMPLING | {"prompt": _PROMPT, "suffix": _TEXT, "logprobs": _NUMBER})
EMBEDDINGS = Fields(
    {
        "model": _TEXT,
        "input": _PROMPT,
        "dimensions": _NUMBER,
        "encoding_format": _TEXT,
        "user": _TEXT,
        "truncate_prompt_tokens": _NUMBER,
    }
)
