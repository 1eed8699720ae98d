"""How many tokens a call took, as the upstream tells it, or as estimated where it does not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, or of many."""

    input: int = 0
    """Input tokens that were neither read from nor written to a cache."""
    cached_input: int = 0
    cache_write: int = 0
    output: int = 0
    """Output tokens, those of hidden reasoning included."""
    reasoning: int = 0
    """The part of the output that was hidden reasoning, where that is told."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cached_input + other.cached_input,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.reasoning + other.reasoning,
        )

    @property
    def tokens(self) -> int:
        return self.input + self.cached_input + self.cache_write + self.output


def read_usage(told: object) -> Usage | None:
    """Return what a `usage` object of either protocol says, or None if it is not one."""
    if not isinstance(told, dict):
        return None
    if "prompt_tokens" in told:  # OpenAI: chat completions, completions, embeddings
        details, output = told.get("prompt_tokens_details"), told.get("completion_tokens_details")
        asked, answered = _count(told, "prompt_tokens"), _count(told, "completion_tokens")
    elif "input_tokens_details" in told or "total_tokens" in told:  # OpenAI: responses
        details, output = told.get("input_tokens_details"), told.get("output_tokens_details")
        asked, answered = _count(told, "input_tokens"), _count(told, "output_tokens")
    elif "input_tokens" in told or "output_tokens" in told:  # Anthropic, where cached input is not part of input
        return Usage(
            input=_count(told, "input_tokens"),
            cached_input=_count(told, "cache_read_input_tokens"),
            cache_write=_count(told, "cache_creation_input_tokens"),
            output=_count(told, "output_tokens"),
        )
    else:
        return None
    cached = min(asked, _count(details, "cached_tokens"))
    return Usage(asked - cached, cached, 0, answered, _count(output, "reasoning_tokens"))


def text_bytes(value: object) -> int:
    """Return the bytes of all text in a JSON value; pictures and files inside it count nothing."""
    total, left = 0, [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            if not item.startswith("data:"):
                total += len(item) if item.isascii() else len(item.encode("utf-8", "replace"))
        elif isinstance(item, dict):
            left += [inner for key, inner in item.items() if key not in ("data", "file_data", "id", "object", "model")]
        elif isinstance(item, list):
            left += item
    return total


def estimate(size: int) -> int:
    """Return about how many tokens that many bytes of text are."""
    return -(-size // BYTES_PER_TOKEN)


class UsageReader:
    """Gathers the usage of one answer from its body or, one after another, from the events of its stream."""

    def __init__(self) -> None:
        self.complete = False
        """Whether the end of a stream was seen."""
        self._told: dict[str, Any] = {}
        self._final = False
        self._text = 0

    def body(self, data: bytes) -> None:
        """Take a whole answer."""
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            self._text += len(data)
            return
        usage = document.get("usage") if isinstance(document, dict) else None
        if isinstance(usage, dict):
            self._told, self._final = usage, True
        else:
            self._text += text_bytes(document)

    def event(self, data: bytes) -> dict[str, Any] | None:
        """Take the data of one event; return it as JSON if it is an object."""
        if data.strip() == b"[DONE]":
            self.complete = True
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
            # Anthropic tells the input first and the output, cumulatively, later.
            self._told |= {key: value for key, value in usage.items() if value is not None}
            self._final = self._final or kind != "message_start"
        if kind in ("message_stop", "response.completed", "response.incomplete", "response.failed"):
            self.complete = True
        # Items of the Responses protocol come as deltas and once more whole: count the deltas only.
        parts = document.get("choices") or document.get("delta") or document.get("content_block")
        if not isinstance(inner, dict) and parts:
            self._text += text_bytes(parts)
        return document

    def result(self, asked_bytes: int) -> tuple[Usage, bool]:
        """Return the usage and whether it is estimated, given the bytes of text in the request."""
        told = read_usage(self._told)
        if told is not None and self._final:
            return told, False
        output = estimate(self._text)
        if told is None:
            return Usage(input=estimate(asked_bytes), output=output), True
        return Usage(told.input, told.cached_input, told.cache_write, max(told.output, output)), True


def _count(told: object, key: str) -> int:
    value = told.get(key) if isinstance(told, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
