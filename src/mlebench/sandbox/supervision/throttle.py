"""When to measure again."""

from __future__ import annotations

import time


class Throttle:
    """Limits how often something is measured.

    Parameters
    ----------
    period : float
        Minimum seconds between two measurements.
    share : float
        Maximum share of the time that measurements may take.
    """

    def __init__(self, period: float, share: float = 0.1) -> None:
        self.period = period
        self.share = share
        self._next = time.monotonic() + period

    def is_due(self) -> bool:
        """Return whether it is time to measure."""
        return time.monotonic() >= self._next

    def record(self, began: float) -> None:
        """Note that a measurement that began at this time (of `time.monotonic`) has just ended."""
        now = time.monotonic()
        self._next = now + max(self.period, (now - began) / self.share)
