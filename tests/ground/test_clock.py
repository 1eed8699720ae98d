from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from mlebench.ground.clock import get_timestamp, now


@pytest.fixture
def far_east(monkeypatch):
    """The time zone of this process, 14 hours ahead of UTC."""
    monkeypatch.setenv("TZ", "XXX-14")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("far_east")
def test_a_timestamp_is_the_time_in_utc_wherever_the_machine_is():
    before = datetime.now(UTC).replace(microsecond=0)
    stamp = datetime.strptime(get_timestamp(), "%Y-%m-%dT%H-%M-%S-UTC").replace(tzinfo=UTC)
    assert before <= stamp <= datetime.now(UTC)


@pytest.mark.usefixtures("far_east")
def test_the_present_time_is_aware_and_in_utc():
    assert now().utcoffset() == timedelta(0)
    assert now() <= datetime.now(UTC)
