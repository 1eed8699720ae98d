"""OpenAI completions of a prompt, with log probabilities: `/v1/completions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.gateway.scripted.formats.parts import (
    PIECE_CHARACTERS,
    Json,
    completion_events,
    completion_usage,
    envelope,
    pieces,
    with_usage,
)

if TYPE_CHECKING:
    from mlebench.gateway.scripted.script import Reply, Request


def document(request: Request, reply: Reply) -> Json:
    """Return the completion; its pieces of text count as tokens in `logprobs`."""
    choice: Json = {"index": 0, "text": reply.text, "finish_reason": "stop", "logprobs": None}
    if request.body.get("logprobs") is not None:
        tokens = pieces(reply.text)
        choice["logprobs"] = {
            "tokens": tokens,
            "token_logprobs": [-0.5] * len(tokens),
            "top_logprobs": [{token: -0.5} for token in tokens],
            "text_offset": [PIECE_CHARACTERS * index for index in range(len(tokens))],
        }
    completion = {**envelope(request, "cmpl-", "text_completion"), "choices": [choice]}
    return with_usage(completion, reply, completion_usage(request, reply))


def events(request: Request, reply: Reply) -> list[bytes]:
    """Return the completion as chunks."""
    choices: list[Json] = [{"index": 0, "text": piece, "finish_reason": None} for piece in pieces(reply.text)]
    choices.append({"index": 0, "text": "", "finish_reason": "stop"})
    return completion_events(request, reply, envelope(request, "cmpl-", "text_completion"), choices)
