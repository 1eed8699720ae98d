"""The number of checks that a run may make."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlebench.sandbox.base import EventSink

MAX_CHECKS = 20_000
"""Checks of one run. Each of them is an event of its record, which must not grow without limit."""


class CheckQuota:
    """Counts the checks of a run. Thread-safe."""

    def __init__(self, events: EventSink) -> None:
        self._events = events
        self._requested = 0
        self._lock = threading.Lock()

    @property
    def limit(self) -> int:
        """The number of checks that are allowed."""
        return MAX_CHECKS

    def take(self) -> bool:
        """Count a requested check and return whether it is allowed; the first refusal is an event."""
        with self._lock:
            self._requested += 1
            requested = self._requested
        if requested == self.limit + 1:
            self._events("limit", limit="checks", value=requested, bound=self.limit)
        return requested <= self.limit
