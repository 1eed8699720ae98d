"""Token counts of a call: as the upstream reports them, or estimated from the bytes of text."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from mlebench.gateway.models.usage import TokenUsage

BYTES_PER_TOKEN = 4
"""Bytes of text that count as one token where the upstream reports nothing."""
_BINARY_FIELDS = ("data", "file_data", "id", "object", "model")
_LAST_EVENTS = ("message_stop", "response.completed", "response.incomplete", "response.failed")


class TokenCount(NamedTuple):
    """The tokens of one call, and whether they are an estimate."""

    tokens: TokenUsage
    estimated: bool


class TokenCounter:
    """Reads the token counts of one response: from its body, or from the events of its stream in order."""

    def __init__(self) -> None:
        self.is_complete = False
        """Whether the last event of a stream was read."""
        self._usage: dict[str, Any] = {}
        self._usage_is_final = False
        self._text_bytes = 0

    def read_body(self, data: bytes) -> None:
        """Read the whole body of a plain response."""
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            self._text_bytes += len(data)
            return
        usage = document.get("usage") if isinstance(document, dict) else None
        if isinstance(usage, dict):
            self._usage, self._usage_is_final = usage, True
        else:
            self._text_bytes += text_bytes(document)

    def read_event(self, data: bytes) -> dict[str, Any] | None:
        """Read the data of one event; return it parsed if it is a JSON object."""
        if data.strip() == b"[DONE]":
            self.is_complete = True
            return None
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(document, dict):
            return None
        kind = document.get("type")
        inner = document.get("response") or document.get("message")
        usage = document.get("usage") or (inner.get("usage") if isinstance(inner, dict) else None)
        if isinstance(usage, dict):
            # Anthropic reports the input first, and the output later and cumulatively.
            self._usage |= {key: value for key, value in usage.items() if value is not None}
            self._usage_is_final = self._usage_is_final or kind != "message_start"
        if kind in _LAST_EVENTS:
            self.is_complete = True
        # The Responses API sends items as deltas and then once more as a whole: count the deltas only.
        parts = document.get("choices") or document.get("delta") or document.get("content_block")
        if not isinstance(inner, dict) and parts:
            self._text_bytes += text_bytes(parts)
        return document

    def count(self, request_text_bytes: int) -> TokenCount:
        """Return the tokens of the call, given the bytes of text in the request.

        A count is estimated where the upstream did not report it, or where a stream ended before the final report.
        """
        reported = read_usage(self._usage)
        if reported is not None and self._usage_is_final:
            return TokenCount(reported, estimated=False)
        output = estimate_tokens(self._text_bytes)
        if reported is None:
            return TokenCount(TokenUsage(input=estimate_tokens(request_text_bytes), output=output), estimated=True)
        output = max(reported.output, output)
        usage = TokenUsage(reported.input, reported.cached_input, reported.cache_write, output)
        return TokenCount(usage, estimated=True)


def read_usage(usage: object) -> TokenUsage | None:
    """Return the token counts of a `usage` object of either API, or None if it is not one."""
    if not isinstance(usage, dict):
        return None
    if "prompt_tokens" in usage:  # OpenAI: chat completions, completions, embeddings
        input_details, output_details = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
        input_tokens, output_tokens = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    elif "input_tokens_details" in usage or "total_tokens" in usage:  # OpenAI: responses
        input_details, output_details = usage.get("input_tokens_details"), usage.get("output_tokens_details")
        input_tokens, output_tokens = _count(usage, "input_tokens"), _count(usage, "output_tokens")
    elif "input_tokens" in usage or "output_tokens" in usage:  # Anthropic, where input excludes cached input
        return TokenUsage(
            input=_count(usage, "input_tokens"),
            cached_input=_count(usage, "cache_read_input_tokens"),
            cache_write=_count(usage, "cache_creation_input_tokens"),
            output=_count(usage, "output_tokens"),
        )
    else:
        return None
    cached = min(input_tokens, _count(input_details, "cached_tokens"))
    return TokenUsage(
        input=input_tokens - cached,
        cached_input=cached,
        output=output_tokens,
        reasoning=_count(output_details, "reasoning_tokens"),
    )


def text_bytes(value: object) -> int:
    """Return the bytes of all text in a JSON value, without pictures and files."""
    total, pending = 0, [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if not item.startswith("data:"):
                total += len(item) if item.isascii() else len(item.encode("utf-8", "replace"))
        elif isinstance(item, dict):
            pending += [inner for key, inner in item.items() if key not in _BINARY_FIELDS]
        elif isinstance(item, list):
            pending += item
    return total


def estimate_tokens(size: int) -> int:
    """Return the estimated number of tokens in `size` bytes of text, rounded up."""
    return -(-size // BYTES_PER_TOKEN)


def _count(usage: object, key: str) -> int:
    value = usage.get(key) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
