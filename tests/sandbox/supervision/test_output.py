"""The log keeps the first bytes of a job's output, up to a limit."""

from __future__ import annotations

import os

import pytest

from mlebench.sandbox.supervision.output import Output

NOTE = "\n[mlebench] {} more bytes were dropped; the log is limited to {}.\n"


@pytest.mark.parametrize(
    ("written", "limit", "expected"),
    [
        (b"", 5, ""),
        (b"12345", 5, "12345"),
        (b"123456", 5, "12345" + NOTE.format(1, 5)),
        (b"123", 0, NOTE.format(3, 0)),
    ],
)
def test_bytes_beyond_the_limit_are_counted_and_dropped(tmp_path, written, limit, expected):
    with Output(tmp_path / "log", limit) as output:
        os.write(output.sink, written)
        output.finish()
    assert (tmp_path / "log").read_text() == expected


def test_reading_tells_when_the_writers_are_gone(tmp_path):
    with Output(tmp_path / "log", 100) as output:
        assert output.read()  # there is nothing yet
        os.write(output.sink, b"x")
        output.close_sink()
        output.close_sink()  # again, which does nothing
        assert output.read()
        assert not output.read()
        assert (output.kept, output.dropped) == (1, 0)


def test_the_tail_is_the_end_of_what_was_kept(tmp_path):
    with Output(tmp_path / "log", 100) as output:
        os.write(output.sink, "one\ntwo ü\n".encode())
        output.finish()
        assert output.tail() == "one\ntwo ü"
        assert output.tail(7) == "two ü"
        assert output.tail(2) == "\ufffd"  # half of a character
