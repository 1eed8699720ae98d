"""Turns: what threads share in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Turns:
    """An amount of something, such as slots or bytes, that threads take and give back. Thread-safe.

    Those that wait are served first come, first served, and all urgent ones before all others. A request that exceeds
    the whole amount is served when nothing is taken, so every request is served at some time.

    Parameters
    ----------
    amount : int
        How much there is.
    reserved : int
        How much of it only urgent requests get.

    Examples
    --------
    >>> slots = Turns(2)
    >>> with slots.take():
    ...     slots.taken
    1
    """

    def __init__(self, amount: int, *, reserved: int = 0) -> None:
        self.amount = amount
        self.reserved = reserved
        self.taken = 0
        self._changed = threading.Condition()
        self._urgent: deque[object] = deque()
        self._others: deque[object] = deque()

    @property
    def waiting(self) -> int:
        """The number of requests that wait."""
        return len(self._urgent) + len(self._others)

    @contextmanager
    def take(self, size: int = 1, *, urgent: bool = True) -> Iterator[None]:
        """Wait for a turn; the context holds it.

        Parameters
        ----------
        size
            How much to take.
        urgent
            Whether the request precedes those that are not urgent.
        """
        ticket, line = object(), self._urgent if urgent else self._others
        with self._changed:
            line.append(ticket)
            try:
                self._changed.wait_for(lambda: self._is_next(ticket, size, urgent=urgent))
                self.taken += size
            finally:
                line.remove(ticket)
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self.taken -= size
                self._changed.notify_all()

    def _is_next(self, ticket: object, size: int, *, urgent: bool) -> bool:
        if urgent:
            return self._urgent[0] is ticket and (self.taken == 0 or self.taken + size <= self.amount)
        fits = self.taken == 0 or self.taken + size <= self.amount - self.reserved
        return not self._urgent and self._others[0] is ticket and fits
