"""Measurements keep their distance, however long they take."""

from __future__ import annotations

import pytest

from mlebench.sandbox.supervision import throttle
from mlebench.sandbox.supervision.throttle import Throttle


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets."""

    class Clock:
        now = 1000.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(throttle, "time", clock)
    return clock


@pytest.mark.parametrize(
    ("taken", "pause"),
    [(0, 2), (0.5, 2), (1, 4), (10, 40)],  # a quarter of the time at most, and two seconds at least
)
def test_the_next_measurement_waits_for_the_period_and_the_share(clock, taken, pause):
    throttle = Throttle(2, 0.25)
    clock.now += 2
    assert throttle.is_due()
    began = clock.now
    clock.now += taken
    throttle.record(began)
    clock.now += pause - 0.01
    assert not throttle.is_due()
    clock.now += 0.01
    assert throttle.is_due()


def test_the_first_measurement_waits_for_a_period(clock):
    throttle = Throttle(2)
    clock.now += 1.99
    assert not throttle.is_due()
