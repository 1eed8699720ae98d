"""The script of a scripted model server: the replies that it gives and the requests that it gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call in a model's reply."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the model, or one way to fail."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    status: int = 200
    """HTTP status. Other than 200: an error in the API's format, with `text` as its message."""
    code: str | None = None
    """Error code, such as `insufficient_quota`."""
    headers: dict[str, str] = field(default_factory=dict)
    """Additional response headers, such as `Retry-After`."""
    delay: float = 0.0
    """Seconds before the first byte."""
    pause: float = 0.0
    """Seconds between the events of a stream."""
    cut_after: int | None = None
    """Close the connection after this many events of a stream, or bytes of a plain body; 0: before any response."""
    malformed: bool = False
    """Send a body that is not valid JSON."""
    reports_usage: bool = True
    """Whether the response contains token counts."""
    cached: int = 0
    """Input tokens that are reported as read from the cache."""
    reasoning: int = 0
    """Hidden output tokens, in addition to those of the text."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived."""

    number: int
    """Position among the server's requests, from 0."""
    path: str
    headers: dict[str, str]
    """Header names are in lower case."""
    raw: bytes
    """The body as it was sent."""
    body: dict[str, Any]
    """The parsed body; empty if it is not a JSON object."""

    @property
    def text(self) -> str:
        """The text of the last message or input."""
        last = self.body.get("messages") or self.body.get("input") or self.body.get("prompt") or ""
        return _text(last[-1] if isinstance(last, list) and last else last)


@dataclass(slots=True)
class TokenCounts:
    """Numbers of tokens that were reported to clients."""

    input: int = 0
    """Input tokens, cached ones included."""
    cached: int = 0
    output: int = 0


Script = Sequence[Reply | str] | Callable[[Request], Reply | str]
"""A list of replies, one for each request; or a function of the request, which several threads may call."""


def count_tokens(text: str) -> int:
    """Return the number of tokens that the scripted model counts for a text: one per four characters, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_text(item) for item in value)
    if isinstance(value, dict):
        return _text(value.get("content") or value.get("text") or value.get("output") or "")
    return ""
