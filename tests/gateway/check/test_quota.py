"""What the checks of a run may use, and what the agent is told."""

from __future__ import annotations

import json
import socket

import pytest

from mlebench.gateway.check.quota import CheckLimits, CheckQuota

from ...waiting import wait_until
from .conftest import ask, ask_for_headers, form


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def quota(clock, limits):
    """A function that makes a quota; its events are in `events`."""

    def make(**changes):
        events = []
        quota = CheckQuota(CheckLimits(**changes), lambda kind, /, **facts: events.append((kind, facts)), clock=clock)
        quota.events = events
        return quota

    return make


@pytest.mark.parametrize(
    ("changes", "seconds", "size", "allowed", "message", "event"),
    [
        ({"checks": 3}, 0, 0, 3, "This run has used all of its 3 checks.", ("checks", 4.0, 3.0)),
        (
            {"bytes": 2048},
            0,
            1000,
            3,
            "This run has used all of its 2 KiB of uploads to the check.",
            ("check_bytes", 3000.0, 2048.0),
        ),
        (
            {"seconds": 10.0},
            4,
            0,
            3,
            "The checks of this run have computed for 12 seconds, more than their 3 seconds a minute. "
            "Check again in 41 seconds.",
            ("check_seconds", 12.0, 10.0),
        ),
    ],
)
def test_a_run_that_has_used_its_share_is_told(
    quota, changes, seconds, size, allowed, message, event, is_short_message
):
    quota = quota(**changes)
    for _ in range(allowed):
        assert quota.request() is None
        quota.charge(seconds, size)
    refusals = [quota.request() for _ in range(3)]
    assert [refusal.message for refusal in refusals] == [message] * 3
    assert is_short_message(message)
    assert quota.events == [("limit", dict(zip(("limit", "value", "bound"), event, strict=True)))]


def test_time_comes_back_at_the_promised_moment(quota, clock):
    quota = quota(seconds=10.0, share=0.05)
    quota.charge(25)
    wait = quota.request().seconds
    assert wait == 301
    clock.now += wait - 2
    assert quota.request() is not None
    clock.now += 2
    assert quota.request() is None


def test_a_run_saves_no_more_than_it_had_at_its_start(quota, clock):
    quota = quota(seconds=10.0)
    clock.now += 10**6
    quota.charge(10)
    assert quota.request() is not None


def test_an_hour_of_small_checks_in_a_row_is_allowed(quota, clock):
    """Five a second: a small check computes for about ten milliseconds."""
    quota = quota()
    for _ in range(5 * 3600):
        assert quota.request() is None
        quota.charge(0.01, 10_000)
        clock.now += 0.2


def test_a_day_of_the_slowest_checks_gets_its_share_only(quota, clock):
    quota, used = quota(), 0
    for _ in range(24 * 60):
        while (refusal := quota.request()) is None:
            quota.charge(60)
            used += 60
        assert refusal.seconds
        clock.now += 60
    assert used <= 240 + 60 + 0.05 * 24 * 3600


@pytest.mark.parametrize("limits", [CheckLimits(checks=3)])
def test_the_server_refuses_checks_beyond_the_quota(server, checker):
    answers = [ask(server, "POST", "/validate", *form(b"x")) for _ in range(5)]
    assert [status for status, _ in answers] == [200, 200, 200, 429, 429]
    assert "all of its 3 checks" in json.loads(answers[-1][1])["error"]
    assert len(checker.paths) == 3
    assert "Retry-After" not in ask_for_headers(server, "POST", "/validate", *form(b"x"))[1]


@pytest.mark.parametrize("limits", [CheckLimits(seconds=100.0, share=0.01)])
@pytest.mark.parametrize("content", [b"x", b"bug", b"exceeded"])
def test_the_server_says_when_a_check_is_allowed_again(server, checker, content, monkeypatch):
    checker.seconds = 10**6
    if content == b"bug":  # its time is not known, so all of it is charged
        monkeypatch.setattr("mlebench.gateway.check.handler._HARNESS_FACTOR", 10**9)
    assert ask(server, "POST", "/validate", *form(content))[0] in (200, 500)
    status, headers = ask_for_headers(server, "POST", "/validate", *form(b"x"))
    assert status == 429
    assert int(headers["Retry-After"]) > 10**6
    assert len(checker.paths) == 1


@pytest.mark.parametrize("limits", [CheckLimits(bytes=100)])
def test_an_upload_that_breaks_off_counts(server, checker, events):
    content, headers = form(b"x" * 200)
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(server.socket_path))
    head = f"POST /validate HTTP/1.1\r\nContent-Type: {headers['Content-Type']}\r\n"
    connection.sendall(f"{head}Content-Length: 100000\r\n\r\n".encode() + content[:-5])
    connection.close()
    assert wait_until(lambda: [facts["answer"] for kind, facts in events if kind == "check"])
    assert ask(server, "POST", "/validate", *form(b"x"))[0] == 429
    assert not checker.paths
