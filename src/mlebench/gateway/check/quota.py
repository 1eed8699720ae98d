"""How much of this machine the checks of a run may use, and what its agent is told beyond that."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.ground.wording import count, format_binary_size, format_duration

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.sandbox.base import EventSink

GiB = 1024**3


@dataclass(frozen=True, slots=True)
class CheckLimits:
    """What all checks of one run may use together. Agents that work on the task never come close."""

    checks: int = 20_000
    """Each check is an event of the run's record, which must not grow without limit."""
    bytes: int = 64 * GiB
    """Bytes of all uploads together."""
    seconds: float = 240.0
    """Time of computing that a run has saved at its start, and may save again."""
    share: float = 0.05
    """Seconds of computing that a run gets back for each second that passes."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a run may not make another check now."""

    message: str
    seconds: int | None = None
    """When the next check is allowed; None if never."""


class CheckQuota:
    """Counts what the checks of a run use. Thread-safe.

    Parameters
    ----------
    limits : CheckLimits
        The limits.
    events : EventSink
        Receives the first refusal for each limit.
    clock : callable
        Returns a time in seconds.
    """

    def __init__(self, limits: CheckLimits, events: EventSink, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._events = events
        self._clock = clock
        self._lock = threading.Lock()
        self._checks = 0
        self._bytes = 0
        self._used = 0.0
        self._saved = limits.seconds
        self._updated = clock()
        self._reported: set[str] = set()

    def request(self) -> Refusal | None:
        """Count a check, or return why it is refused."""
        limits = self._limits
        with self._lock:
            self._refill()
            if self._checks >= limits.checks:
                limit, value, bound = "checks", float(self._checks + 1), float(limits.checks)
                refusal = Refusal(f"This run has used all of its {count(limits.checks, 'check')}.")
            elif self._bytes >= limits.bytes:
                limit, value, bound = "check_bytes", float(self._bytes), float(limits.bytes)
                size = format_binary_size(limits.bytes)
                refusal = Refusal(f"This run has used all of its {size} of uploads to the check.")
            elif self._saved <= 0:
                limit, value, bound = "check_seconds", round(self._used, 1), limits.seconds
                wait = math.floor(-self._saved / limits.share) + 1
                refusal = Refusal(
                    f"The checks of this run have computed for {format_duration(round(self._used))}, more than their "
                    f"{count(round(60 * limits.share, 1), 'second')} a minute. Check again in {count(wait, 'second')}.",
                    wait,
                )
            else:
                self._checks += 1
                return None
            is_new = limit not in self._reported
            self._reported.add(limit)
        if is_new:
            self._events("limit", limit=limit, value=value, bound=bound)
        return refusal

    def charge(self, seconds: float, received_bytes: int = 0) -> None:
        """Count what a check has used.

        Parameters
        ----------
        seconds
            Time of computing.
        received_bytes
            Bytes of the upload that were received.
        """
        with self._lock:
            self._refill()
            self._bytes += received_bytes
            self._used += seconds
            self._saved -= seconds

    def _refill(self) -> None:
        now = self._clock()
        self._saved = min(self._limits.seconds, self._saved + self._limits.share * (now - self._updated))
        self._updated = now
