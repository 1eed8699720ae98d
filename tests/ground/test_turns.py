from __future__ import annotations

import threading

import pytest

from mlebench.ground.turns import Turns

from ..waiting import wait_until


class Line:
    """Threads that take turns one after the other, and what they got in which order."""

    def __init__(self, turns):
        self.turns = turns
        self.served = []
        self.ends = {}
        self.threads = []

    def join(self, name, *arguments, **options):
        """Start a thread that takes a turn and holds it until `leave`; return when it is served or waits."""
        self.ends[name] = threading.Event()
        known = self.turns.waiting + len(self.served)
        self.threads.append(threading.Thread(target=self._take, args=(name, arguments, options), daemon=True))
        self.threads[-1].start()
        assert wait_until(lambda: self.turns.waiting + len(self.served) > known)

    def _take(self, name, arguments, options):
        with self.turns.take(*arguments, **options):
            self.served.append(name)
            self.ends[name].wait(120)

    def leave(self, name, then):
        """End a turn and wait until those that are served are the given ones."""
        self.ends[name].set()
        assert wait_until(lambda: self.served == list(then)), self.served


@pytest.fixture
def line():
    lines = []

    def make(*arguments, **options):
        lines.append(Line(Turns(*arguments, **options)))
        return lines[0]

    yield make
    for end in lines[0].ends.values():
        end.set()
    for thread in lines[0].threads:
        thread.join(120)
    assert (lines[0].turns.taken, lines[0].turns.waiting) == (0, 0)


def test_threads_are_served_in_the_order_in_which_they_came(line):
    line = line(1)
    for name in "abcd":
        line.join(name)
    line.leave("a", then="ab")
    line.leave("b", then="abc")


def test_urgent_requests_are_served_before_others(line):
    line = line(1)
    line.join("a")
    line.join("b", urgent=False)
    line.join("c")
    line.join("d")
    line.leave("a", then="ac")
    line.leave("c", then="acd")
    line.leave("d", then="acdb")


def test_requests_that_are_not_urgent_leave_the_reserve_free(line):
    line = line(2, reserved=1)
    line.join("a", urgent=False)
    line.join("b", urgent=False)
    assert line.served == ["a"]
    line.join("c")
    assert line.served == ["a", "c"]


def test_a_large_request_is_not_overtaken_and_is_served_when_it_fits(line):
    line = line(10)
    line.join("small", 4)
    line.join("large", 9)
    line.join("tiny", 1)
    assert line.served == ["small"]
    line.leave("small", then=["small", "large", "tiny"])


def test_a_request_that_never_fits_is_served_alone(line):
    line = line(10)
    line.join("small", 1)
    line.join("huge", 1000)
    line.join("next", 1)
    line.leave("small", then=["small", "huge"])
    line.leave("huge", then=["small", "huge", "next"])


def test_a_thread_that_fails_gives_its_turn_back():
    turns = Turns(1)
    with pytest.raises(ZeroDivisionError), turns.take():
        raise ZeroDivisionError
    with turns.take():
        assert turns.taken == 1
