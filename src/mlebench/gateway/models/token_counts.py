"""Token counts of a call: as the upstream reports them, or as they were reserved if it does not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mlebench.gateway.models.usage import MAX_TOKENS, TokenUsage

if TYPE_CHECKING:
    from mlebench.gateway.models.expected_tokens import ExpectedTokens

Basis = Literal["reported", "drained", "reserved", "free"]
"""How the tokens of a call are known. `reported`: by the upstream; `drained`: by the upstream, to the gateway alone,
because the client did not wait; `reserved`: the upstream did not report them, so the input and the most output that the
request allows are charged; `free`: the upstream responded with an error or did not charge."""
_LAST_RESPONSE_EVENTS = ("response.completed", "response.incomplete", "response.failed")
_LAST_EVENTS = ("message_stop", *_LAST_RESPONSE_EVENTS)


class TokenCount(NamedTuple):
    """The tokens of one call, and how they are known."""

    tokens: TokenUsage
    basis: Basis
    reserved_attempts: int = 0
    """Attempts at the upstream whose tokens are not known; `tokens` has what was reserved for each of them."""

    @property
    def estimated(self) -> bool:
        """Whether the upstream did not report all of the tokens."""
        return self.reserved_attempts > 0


class TokenCounter:
    """Reads the token counts of one response: from its body, or from the events of its stream in order.

    Counts of a stream are trusted at its end only. Some upstreams report the tokens so far with each event.
    """

    def __init__(self) -> None:
        self.is_complete = False
        """Whether the last event of a stream was read."""
        self._usage: dict[str, Any] = {}
        self._has_counts = False
        self._is_final = False

    def read_body(self, data: bytes) -> None:
        """Read the whole body of a plain response."""
        document = _parse(data)
        usage = None if document is None else document.get("usage")
        if isinstance(usage, dict):
            self._usage, self._is_final = usage, True

    def read_event(self, data: bytes) -> dict[str, Any] | None:
        """Read the data of one event; return it parsed if it is a JSON object."""
        if data.strip() == b"[DONE]":
            self.is_complete = True
            return None
        document = _parse(data)
        if document is None:
            return None
        kind = document.get("type")
        self.is_complete = self.is_complete or kind in _LAST_EVENTS
        if kind is None:  # chat completions and completions
            self._add(document.get("usage"), is_final=document.get("choices") == [])
        elif kind == "message_start":  # Anthropic reports the input first, and the output later and cumulatively
            self._add(_inner(document, "message").get("usage"), is_final=False, has_counts=False)
        elif kind == "message_delta":
            self._add(document.get("usage"), is_final=_inner(document, "delta").get("stop_reason") is not None)
        elif isinstance(kind, str) and kind.startswith("response."):
            usage = _inner(document, "response").get("usage")
            self._add(usage, is_final=kind in _LAST_RESPONSE_EVENTS, has_counts=False)
        return document

    def reported(self) -> TokenUsage | None:
        """Return the tokens that the upstream reported for the whole response, or None if it did not."""
        usage = read_usage(self._usage)
        is_whole = self._is_final or (self._has_counts and self.is_complete)
        # Some servers report zeros instead of nothing.
        return usage if is_whole and usage is not None and usage.total > usage.output else None

    def reserved(self, expected: ExpectedTokens) -> TokenUsage:
        """Return the tokens to charge if the upstream did not report them: no less than it has reported so far."""
        usage = read_usage(self._usage) or TokenUsage()
        output = max(usage.output, expected.output)
        if usage.total > usage.output:
            return TokenUsage(usage.input, usage.cached_input, usage.cache_write, output)
        return TokenUsage(input=expected.input, output=output)

    def _add(self, usage: object, *, is_final: bool, has_counts: bool = True) -> None:
        if not isinstance(usage, dict):
            return
        for name, value in usage.items():
            old = self._usage.get(name)
            if isinstance(value, int) and isinstance(old, int):
                self._usage[name] = max(old, value)
            elif value is not None:
                self._usage[name] = value
        self._is_final = self._is_final or is_final
        self._has_counts = self._has_counts or has_counts


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
    reasoning = _count(output_details, "reasoning_tokens")
    return TokenUsage(
        input=input_tokens - cached,
        cached_input=cached,
        # Some providers leave hidden reasoning out of the output, but not out of the total.
        output=max(output_tokens, _count(usage, "total_tokens") - input_tokens, reasoning),
        reasoning=reasoning,
    )


def _parse(data: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _inner(document: dict[str, Any], name: str) -> dict[str, Any]:
    inner = document.get(name)
    return inner if isinstance(inner, dict) else {}


def _count(usage: object, key: str) -> int:
    value = usage.get(key) if isinstance(usage, dict) else None
    return min(value, MAX_TOKENS) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
