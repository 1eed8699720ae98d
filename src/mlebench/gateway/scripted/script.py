"""What a scripted model says: replies, and what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants to have run."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, or one way to fail."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    status: int = 200
    """Other than 200: an error in the protocol's form, with `text` as its message."""
    code: str | None = None
    """Of an error, such as `insufficient_quota`."""
    headers: dict[str, str] = field(default_factory=dict)
    """Such as `Retry-After`."""
    delay: float = 0.0
    """Seconds before the first byte."""
    pause: float = 0.0
    """Seconds between the events of a stream."""
    cut_after: int | None = None
    """Break the connection after so many events of a stream, or bytes of a plain answer; 0: before the answer."""
    malformed: bool = False
    """Answer with something that is not JSON."""
    tells_usage: bool = True
    cached: int = 0
    """How many of the input tokens came out of the cache."""
    reasoning: int = 0
    """Hidden output tokens, on top of those of the text."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it arrived."""

    number: int
    """Counts requests from 0."""
    path: str
    headers: dict[str, str]
    """With names in lower case."""
    raw: bytes
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """The text of the last message or input."""
        last = self.body.get("messages") or self.body.get("input") or self.body.get("prompt") or ""
        return _text(last[-1] if isinstance(last, list) and last else last)


@dataclass(slots=True)
class Tokens:
    """Tokens that were reported to clients."""

    input: int = 0
    cached: int = 0
    output: int = 0


Script = Sequence[Reply | str] | Callable[[Asked], Reply | str]
"""Replies one after another, or a function of the request, called from several threads."""


def count_tokens(text: str) -> int:
    """Return how many tokens a text counts here: one for each four characters begun."""
    return -(-len(text) // 4)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_text(item) for item in value)
    if isinstance(value, dict):
        return _text(value.get("content") or value.get("text") or value.get("output") or "")
    return ""
