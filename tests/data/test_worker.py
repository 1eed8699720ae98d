import io
import json
import logging

import pytest

from mlebench.data.progress import Step
from mlebench.data.results import PrepareResult
from mlebench.data.worker import Event, EventWriter


@pytest.fixture
def written():
    """A writer of events, and a function that returns those written so far."""
    out = io.StringIO()
    return EventWriter(out), lambda: [Event.model_validate_json(line) for line in out.getvalue().splitlines()]


def test_bytes_between_two_events_are_added_up_and_none_is_lost(written):
    writer, events = written
    writer.step(Step.UNPACK, 3000)
    for _ in range(1000):
        writer.advance(3, 1)
    writer.step(Step.PREPARE)
    first, *sizes, last = events()
    assert (first, last) == (Event(step=Step.UNPACK, total=3000), Event(step=Step.PREPARE))
    assert (sum(event.size for event in sizes), sum(event.files for event in sizes)) == (3000, 1000)


def test_the_last_event_is_the_result_after_all_bytes(written):
    writer, events = written
    result = PrepareResult(label="pictures", outcome="made", seconds=1.0)
    writer.step(Step.VERIFY)
    writer.advance(1)
    writer.advance(2)
    writer.result(result)
    assert sum(event.size for event in events()[:-1]) == 3
    assert events()[-1] == Event(result=result)


def test_a_message_or_log_record_of_several_lines_is_one_event(written):
    writer, events = written
    writer.message("two\nlines")
    writer.handle(logging.makeLogRecord({"msg": "%d files", "args": (3,), "levelno": logging.INFO}))
    assert [event.message for event in events()] == ["two\nlines", "3 files"]


def test_an_event_has_the_fields_that_are_set_only():
    out = io.StringIO()
    EventWriter(out).step(Step.DOWNLOAD)
    assert json.loads(out.getvalue()) == {"step": "download"}
