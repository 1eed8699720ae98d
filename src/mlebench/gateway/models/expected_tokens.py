"""The tokens that a call may use, judged by its request: what is reserved, and charged if nothing better is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.gateway.models.usage import MAX_TOKENS

if TYPE_CHECKING:
    from mlebench.gateway.models.routes import Route
    from mlebench.gateway.models.shapes import Contents

BYTES_PER_TOKEN = 4
"""Bytes of a request that count as one token."""
MAX_ATTACHMENT_TOKENS = 50_000
"""Tokens that a picture, a sound or a file counts at most."""
_OUTPUT_LIMIT_FIELDS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_CHOICES_FIELDS = ("n", "best_of")


@dataclass(frozen=True, slots=True)
class ExpectedTokens:
    """Estimated input tokens, and output tokens over all choices."""

    input: int = 0
    output: int = 0
    """The most that the request asks for: what is charged if nothing better is known."""
    max_output: int = 0
    """The most that the upstream may generate. Some upstreams leave hidden reasoning out of the request's limit."""


def expected_tokens(
    document: dict[str, Any], size: int, contents: Contents, route: Route, max_output_tokens: int
) -> ExpectedTokens:
    """Return the tokens that a call may use.

    Parameters
    ----------
    document : dict
        The upstream request.
    size : int
        Its bytes.
    contents : Contents
        Its attachments and token numbers.
    route : Route
        Its route.
    max_output_tokens : int
        The most output tokens of one answer at the upstream.
    """
    if not route.is_charged:
        return ExpectedTokens()
    attached = sum(contents.attachments)
    attachments = sum(min(MAX_ATTACHMENT_TOKENS, _per_token(length)) for length in contents.attachments)
    input_tokens = contents.token_ids + _per_token(size - attached) + attachments
    if not route.has_output:
        return ExpectedTokens(input_tokens)
    # Servers differ in which of two limits counts, and in whether 0 limits anything.
    limit = max(_positive(document, _OUTPUT_LIMIT_FIELDS), default=max_output_tokens)
    choices = max(_positive(document, _CHOICES_FIELDS), default=1)
    answers = min(MAX_TOKENS, choices * _count_prompts(document))
    limits = (min(limit, max_output_tokens), max_output_tokens)
    return ExpectedTokens(input_tokens, *(min(MAX_TOKENS, tokens * answers) for tokens in limits))


def _positive(document: dict[str, Any], fields: tuple[str, ...]) -> list[int]:
    return [value for field in fields if isinstance(value := document.get(field), int) and value > 0]


def _count_prompts(document: dict[str, Any]) -> int:
    """Return the number of prompts of a request for completions: each gets its own answers."""
    prompt = document.get("prompt")
    if not isinstance(prompt, list) or (prompt and isinstance(prompt[0], int)):
        return 1
    return max(1, len(prompt))


def _per_token(size: int) -> int:
    return -(-max(0, size) // BYTES_PER_TOKEN)
