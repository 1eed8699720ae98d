"""Scripted requests and replies without a server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.gateway.scripted.script import Request

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def asked() -> Callable[..., Request]:
    """Make a request with number 7 and a body."""

    def make(path: str = "/v1/chat/completions", **body: Any) -> Request:
        return Request(7, path, {}, b"", body)

    return make


@pytest.fixture
def parsed() -> Callable[[list[bytes]], list[Any]]:
    """Parse the data of server-sent events; the end of a stream of OpenAI is None."""

    def parse(events: list[bytes]) -> list[Any]:
        data = [event.partition(b"data: ")[2].decode() for event in events]
        assert all(event.endswith(b"\n\n") for event in events)
        return [None if text == "[DONE]\n\n" else json.loads(text) for text in data]

    return parse
