"""A response on its way to the agent, from an upstream or from a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

Source = Literal["live", "recording"]

FORWARDED_HEADERS = (
    "content-type",
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
    "x-request-id",
    "request-id",
)
"""Response headers that agents receive. Others may identify the account or concern only the gateway's connection."""


@dataclass(slots=True)
class Response:
    """Status, headers and body of a response.

    Reading `chunks` raises `BrokenStreamError` if the response ends before it is complete.
    """

    status: int
    headers: dict[str, str]
    """The forwarded headers, names in lower case."""
    chunks: AsyncIterator[bytes]
    """The body: one chunk if it is plain, chunks as they arrive if it is a stream."""
    stream: bool
    """Whether the body is a stream of server-sent events."""
    retries: int = 0
    """How many attempts failed before."""
    source: Source = "live"


async def copy_chunks(chunks: AsyncIterator[bytes], copy: list[bytes]) -> AsyncIterator[bytes]:
    """Yield the chunks and append each of them to a list."""
    async for chunk in chunks:
        copy.append(chunk)
        yield chunk
