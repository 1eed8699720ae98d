"""The pace at which a run's connections are accepted: the harness has one interpreter for all runs."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SHARE = 0.02
"""Share of one core that the harness spends on the requests of one run, apart from uploads that it checks."""
SAVED_SECONDS = 1.0
"""Time of computing that a run may save: about a thousand requests."""
CONNECTION_SECONDS = 0.0005
"""What any connection takes, in addition to what is measured."""


class Pace:
    """Slows down the connections of a run that take more than its share. Thread-safe.

    Parameters
    ----------
    closing : threading.Event
        Ends all waiting.
    clock : callable
        Returns a time in seconds.
    """

    def __init__(self, closing: threading.Event, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._saved = SAVED_SECONDS
        self._updated = clock()
        self._closing = closing

    def charge(self, seconds: float) -> None:
        """Count the time that a connection took."""
        with self._lock:
            self._refill()
            self._saved -= seconds + CONNECTION_SECONDS

    @property
    def delay(self) -> float:
        """Seconds until the next connection may be accepted; 0 for at once."""
        with self._lock:
            self._refill()
            return max(0.0, -self._saved / SHARE)

    def wait(self) -> None:
        """Wait until the next connection may be accepted, or until the run ends."""
        self._closing.wait(self.delay)

    def _refill(self) -> None:
        now = self._clock()
        self._saved = min(SAVED_SECONDS, self._saved + SHARE * (now - self._updated))
        self._updated = now
