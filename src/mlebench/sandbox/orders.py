"""What others tell a running job from outside: to end, and why."""

from __future__ import annotations

import threading
from typing import NamedTuple

from mlebench.sandbox.ending import Reason


class Order(NamedTuple):
    """One order to end."""

    reason: Reason
    """`STOPPED`: at once. `BUDGET`: as at the time limit, with SIGTERM and the grace to save a submission."""
    sentence: str
    """For people; empty when there is nothing to add."""


class Orders:
    """Orders to end a job, given from any thread; orders for a group of jobs hold for those below it.

    The first order counts, except that `STOPPED` overrides `BUDGET`.
    """

    def __init__(self, above: Orders | None = None) -> None:
        self._above = above
        self._changed: threading.Condition = above._changed if above else threading.Condition()
        self._own: Order | None = None

    def give(self, reason: Reason, sentence: str = "") -> None:
        """End the job, or all jobs below, for that reason: `STOPPED` or `BUDGET`."""
        if reason not in (Reason.STOPPED, Reason.BUDGET):
            raise ValueError(f"A job cannot be ordered to end with {reason.value!r}; say 'stopped' or 'budget'.")
        with self._changed:
            if self._own is None or (reason is Reason.STOPPED and self._own.reason is Reason.BUDGET):
                self._own = Order(reason, sentence)
                self._changed.notify_all()

    @property
    def order(self) -> Order | None:
        """The order that holds now, if there is one."""
        above = self._above.order if self._above else None
        if above and (self._own is None or above.reason is Reason.STOPPED):
            return above
        return self._own

    @property
    def stopped(self) -> bool:
        """Whether the job is to end at once."""
        order = self.order
        return order is not None and order.reason is Reason.STOPPED

    def wait(self, seconds: float) -> bool:
        """Wait until there is an order, at most so long; tell whether there is."""
        with self._changed:
            return self._changed.wait_for(lambda: self.order is not None, seconds)
