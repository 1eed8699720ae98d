"""Requests as common clients send them, with everything that the lists allow at least once."""

from __future__ import annotations

CACHE = {"type": "ephemeral"}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}}
SCHEMA = {"type": "object", "properties": {"url": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}
FUNCTION = {"name": "f", "description": "A function.", "parameters": SCHEMA, "strict": True}

CHAT = {
    "model": "gpt",
    "messages": [
        {"role": "system", "content": [{"type": "text", "text": "Be brief.", "cache_control": CACHE}]},
        {"role": "user", "name": "a", "content": [PICTURE, {"type": "text", "text": "see http://a/b"}]},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}]},
        {"role": "user", "content": [{"type": "file", "file": {"filename": "a", "file_data": "data:a;base64,AAAA"}}]},
        {
            "role": "assistant",
            "content": None,
            "refusal": None,
            "reasoning_content": "Hm.",
            "provider_specific_fields": {"refusal": None},
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"url": "https://a"}'}},
                {"id": "2", "type": "custom", "custom": {"name": "g", "input": "x"}},
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "3"},
        {"role": "developer", "content": "Go on."},
    ],
    "tools": [
        {"type": "function", "function": FUNCTION, "cache_control": CACHE},
        {"type": "custom", "custom": {"name": "g", "format": {"type": "text"}}},
    ],
    "tool_choice": {"type": "function", "function": {"name": "f"}},
    "parallel_tool_calls": False,
    "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA, "strict": True}},
    "max_completion_tokens": 100,
    "n": 2,
    "seed": 1,
    "stop": ["a", "b"],
    "logprobs": True,
    "top_logprobs": 2,
    "logit_bias": {"50256": -100},
    "temperature": 0.5,
    "top_p": 0.9,
    "frequency_penalty": 0,
    "presence_penalty": 0.1,
    "reasoning_effort": "low",
    "verbosity": "low",
    "store": False,
    "service_tier": "auto",
    "modalities": ["text"],
    "user": "a",
    "safety_identifier": "a",
    "prompt_cache_key": "a",
    "metadata": {"a": "b"},
    "stream_options": {"include_usage": True},
}
"""What openai-python, LiteLLM and the agents on top of them send."""
VLLM = {
    "model": "gpt",
    "messages": [{"role": "user", "content": "a"}],
    "max_tokens": 5,
    "top_k": 20,
    "min_p": 0.1,
    "repetition_penalty": 1.1,
    "stop_token_ids": [1],
    "skip_special_tokens": False,
    "guided_json": SCHEMA,
    "chat_template_kwargs": {"enable_thinking": False},
    "prompt_logprobs": 1,
}
RESPONSES = {
    "model": "gpt",
    "instructions": "You are a coding agent.",
    "input": [
        {"role": "user", "content": "a"},
        {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "a"},
                {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"},
                {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"},
            ],
        },
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "a"}],
            "encrypted_content": "b",
        },
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "b", "annotations": []}],
        },
        {"type": "function_call", "id": "fc_1", "call_id": "1", "name": "f", "arguments": "{}", "status": "completed"},
        {"type": "function_call_output", "call_id": "1", "output": "c"},
        {"type": "local_shell_call", "call_id": "2", "action": {"type": "exec", "command": ["ls"], "env": {}}},
        {"type": "local_shell_call_output", "id": "2", "output": "c"},
        {"type": "custom_tool_call", "call_id": "3", "name": "apply_patch", "input": "*** Begin Patch"},
        {"type": "custom_tool_call_output", "call_id": "3", "output": "done"},
    ],
    "tools": [
        {"type": "function", **FUNCTION},
        {
            "type": "custom",
            "name": "apply_patch",
            "format": {"type": "grammar", "syntax": "lark", "definition": "start: a"},
        },
        {"type": "local_shell"},
        {"type": "shell", "environment": {"type": "local"}},
        {"type": "apply_patch"},
    ],
    "tool_choice": "auto",
    "parallel_tool_calls": False,
    "reasoning": {"effort": "medium", "summary": "auto"},
    "store": False,
    "include": ["reasoning.encrypted_content"],
    "prompt_cache_key": "a",
    "text": {"verbosity": "low", "format": {"type": "json_schema", "name": "a", "schema": SCHEMA}},
    "max_output_tokens": 100,
    "truncation": "auto",
}
"""What coding agents on the Responses API send."""
COMPLETIONS = {"model": "gpt", "prompt": ["a", "b"], "max_tokens": 5, "n": 1, "best_of": 2, "logprobs": 3, "echo": True}
EMBEDDINGS = {"model": "gpt", "input": [[1, 2], [3]], "encoding_format": "base64", "dimensions": 8, "user": "a"}
MESSAGES = {
    "model": "claude",
    "max_tokens": 100,
    "system": [{"type": "text", "text": "Be brief.", "cache_control": CACHE}],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "a", "cache_control": {"type": "ephemeral", "ttl": "5m"}},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
                {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a"}, "title": "b"},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "a", "signature": "b"},
                {"type": "redacted_thinking", "data": "c"},
                {"type": "tool_use", "id": "1", "name": "f", "input": {"url": "https://a"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "1",
                    "content": [{"type": "text", "text": "a"}],
                    "is_error": False,
                }
            ],
        },
    ],
    "tools": [
        {"name": "f", "description": "A tool.", "input_schema": SCHEMA, "cache_control": CACHE},
        {"type": "bash_20250124", "name": "bash"},
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
    ],
    "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
    "thinking": {"type": "enabled", "budget_tokens": 1024},
    "metadata": {"user_id": "a"},
    "stop_sequences": ["a"],
    "temperature": 1.0,
    "top_k": 5,
    "top_p": 0.9,
}
COUNT_TOKENS = {name: MESSAGES[name] for name in ("model", "system", "messages", "tools", "tool_choice", "thinking")}

REQUESTS = [
    ("/v1/chat/completions", CHAT),
    ("/v1/chat/completions", VLLM),
    ("/v1/responses", RESPONSES),
    ("/v1/completions", COMPLETIONS),
    ("/v1/embeddings", EMBEDDINGS),
    ("/v1/messages", MESSAGES),
    ("/v1/messages/count_tokens", COUNT_TOKENS),
]
