"""Server-sent events, read from chunks."""

from __future__ import annotations

import random

import pytest

from mlebench.gateway.models.event_stream import EventStreamParser

STREAM = b'data: {"a": 1}\n\nevent: ping\ndata: x\ndata:y\n\n: a comment\n\ndata: [DONE]\n\nrest'
DATA = [b'{"a": 1}', b"x\ny", b"", b"[DONE]"]


def parse(stream, sizes):
    parser, events = EventStreamParser(), []
    while stream:
        size = next(sizes)
        events += parser.feed(stream[:size])
        stream = stream[size:]
    return events, parser.rest()


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_events_end_at_blank_lines_of_every_kind(line_end):
    events, rest = parse(STREAM.replace(b"\n", line_end), iter([1000]))
    assert [event.data for event in events] == DATA
    assert rest == b"rest"


def test_chunks_may_cut_events_anywhere():
    generator = random.Random(0)
    for _ in range(100):
        stream = STREAM.replace(b"\n", generator.choice([b"\n", b"\r\n", b"\r"]))
        events, rest = parse(stream, iter(lambda: generator.randrange(1, 9), 0))
        assert [event.data for event in events] == DATA
        assert b"".join(event.raw for event in events) + rest == stream


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
@pytest.mark.parametrize("blank", [b"\n\r\n", b"\n\r", b"\r\n\n", b"\r\r\n"])
def test_line_ends_may_be_of_different_kinds(blank, size):
    stream = b"data: 1" + blank + b"data: 2" + blank + b"data: 3"
    events, rest = parse(stream, iter(lambda: size, 0))
    assert [event.data for event in events if event.data] == [b"1", b"2"]
    assert b"".join(event.raw for event in events) + rest == stream


def test_a_field_without_a_colon_has_an_empty_value():
    events, _ = parse(b"data\ndata: a\ndatas: b\n\n", iter([1000]))
    assert [event.data for event in events] == [b"\na"]
