"""Responses of model providers: streams of events and plain bodies, and the tokens that they report."""

from __future__ import annotations

import json
import math
import re
from contextlib import contextmanager
from dataclasses import astuple
from typing import TYPE_CHECKING

from mlebench.gateway.models.bodies import BodyCapture
from mlebench.gateway.models.event_stream import EventStreamParser
from mlebench.gateway.models.expected_tokens import ExpectedTokens
from mlebench.gateway.models.prices import Price
from mlebench.gateway.models.retries import retry_delay
from mlebench.gateway.models.token_counts import TokenCounter

from ..json_mutations import mutate_lines
from ..target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mlebench.gateway.models.event_stream import ServerSentEvent

EXPECTED = ExpectedTokens(input=100, output=50)
PRICE = Price(input=2.5, output=10.0, cached_input=1.0, cache_write=3.0)


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    yield take


def take(content: bytes) -> None:
    streams = [read_stream(content, size) for size in (1, 5, len(content) or 1)]
    assert streams[0] == streams[1] == streams[2]
    events, rest = streams[0]
    assert b"".join(event.raw for event in events) + rest == content
    assert [event.data for event in events if event.data] == data_of(content)
    counter = TokenCounter()
    for event in events:
        counter.read_event(event.data)
    check_tokens(counter)
    counter = TokenCounter()
    counter.read_body(content)
    check_tokens(counter)
    logged = BodyCapture(max(1, len(content) - 1)).add(content).content(), BodyCapture(2**20).add(content).content()
    for record in logged:
        json.loads(record.model_dump_json())
    value = content[:40].decode("latin-1")
    assert retry_delay(1, {"retry-after": value}) >= 0
    assert retry_delay(1, {"retry-after-ms": value}) >= 0


def read_stream(content: bytes, size: int) -> tuple[list[ServerSentEvent], bytes]:
    """Return the events of a stream that arrives in pieces of one size, and the bytes after the last."""
    parser, events = EventStreamParser(), []
    for start in range(0, len(content), size):
        events += parser.feed(content[start : start + size])
    return events, parser.rest()


def data_of(content: bytes) -> list[bytes]:
    """Return the data of the complete events that have any, by the rules of the HTML Standard."""
    found, lines = [], []
    if content.endswith(b"\n\r"):  # the next byte would tell whether this is one line end or two
        content = content[:-1]
    *whole, _ = re.split(rb"\r\n|\n|\r", content)
    for line in whole:
        if line:
            lines.append(line)
            continue
        values = [
            value.removeprefix(b" ") for name, _, value in (one.partition(b":") for one in lines) if name == b"data"
        ]
        found += [b"\n".join(values)] if values else []
        lines = []
    return [data for data in found if data]


def check_tokens(counter: TokenCounter) -> None:
    """Check that what would be charged is a finite amount, and no less than what was reserved or reported."""
    reported, reserved = counter.reported(), counter.reserved(EXPECTED)
    for usage in (reserved, *([reported] if reported else [])):
        assert min(astuple(usage)) >= 0 and math.isfinite(PRICE.cost(usage)), usage
    assert reserved.output >= EXPECTED.output
    assert reported is None or reserved.total >= reported.total


TARGET = Target(
    opened,
    words=(b"data: ", b"event: ", b"\n\n", b"\r\n\r\n", b"\r\r", b"[DONE]", b'"usage":{"prompt_tokens":1}', b"1e999",
           b'"type":"message_start"', b'"type":"response.completed"', b'"choices":[]', b"\xef\xbb\xbf", b"id:", b":\n"),
    mutate=mutate_lines,
)  # fmt: skip
