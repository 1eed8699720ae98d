"""A session keeps what the first process of a job tells."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mlebench.sandbox.entrypoint import protocol
from mlebench.sandbox.port_forward import PortForward
from mlebench.sandbox.supervision.channel import PipeChannel
from mlebench.sandbox.supervision.job_processes import NamespaceProcesses
from mlebench.sandbox.supervision.messages import Ended
from mlebench.sandbox.supervision.session import Session

FORWARDS = (
    PortForward(5000, Path("/a"), {"VALIDATE_URL": ""}),
    PortForward(4000, Path("/b"), {"OPENAI_BASE_URL": "/v1", "ANTHROPIC_BASE_URL": ""}),
)


@pytest.fixture
def session(bench, events):
    """A session, and a function that sends it a report."""
    source, sink = os.pipe()
    channel = PipeChannel(source, b"{}")
    session = Session(channel, bench.job(("true",), port_forwards=FORWARDS), NamespaceProcesses(), events)

    def report(line):
        os.write(sink, line)
        session.read()

    yield session, report
    os.close(sink)
    channel.close()
    os.close(channel.config_source)


def test_the_config_is_sent_when_the_first_process_waits_for_it(session):
    session, report = session
    report(protocol.report_waiting())
    assert os.read(session._channel.config_source, 100) == b"{}"
    assert not session.is_ready


def test_a_job_is_ready_once_it_reports_its_ports(session, events):
    session, report = session
    session.read()
    assert not session.is_ready
    report(protocol.report_ready([5000, 39999]))
    assert session.is_ready
    assert events.of("hole") == [
        {"variables": ["VALIDATE_URL"], "port": 5000},
        {"variables": ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"], "port": 39999},
    ]


def test_ports_that_do_not_match_the_forwards_are_an_error(session):
    _, report = session
    with pytest.raises(ValueError, match="zip"):
        report(protocol.report_ready([5000]))


def test_the_report_of_the_end_is_kept(session):
    session, report = session
    report(protocol.report_ended(137, kills=1, refused=0))
    assert session.ended == Ended(137, kills=1, refused=0)
    assert not session.is_ready
