"""When a failed request is repeated, and how long to wait before."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import threading


MAX_SECONDS = 1e9
"""Longer waits that a header asks for count as this one."""


@dataclass(frozen=True)
class RetryPolicy:
    """Limits of retries, waits and timeouts; all times are in seconds."""

    max_attempts: int = 4
    """Attempts of a call that fails with a server error."""
    max_interruptions: int = 8
    """Interruptions of a download that makes little progress in between."""
    backoff: float = 1.0
    """Pause before the second attempt; it doubles with each further one."""
    max_rate_limit_wait: float = 600.0
    """Longest total wait because of rate limits (HTTP 429)."""
    connect_timeout: float = 15.0
    read_timeout: float = 60.0
    """Longest pause between two bytes."""

    @property
    def timeouts(self) -> tuple[float, float]:
        """The connect and the read timeout, as requests takes them."""
        return self.connect_timeout, self.read_timeout

    def pause_before(self, attempt: int) -> float:
        """Return the pause before an attempt, the first being 1; random jitter keeps processes apart."""
        return self.backoff * 2.0 ** max(0, attempt - 2) * random.uniform(0.75, 1.25)

    def wait(self, seconds: float, cancel: threading.Event | None = None) -> None:
        """Sleep until the time is over or `cancel` is set."""
        if cancel is None:
            time.sleep(seconds)
        else:
            cancel.wait(seconds)


def parse_retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, or None if it is missing or malformed.

    References
    ----------
    RFC 9110, section 10.2.3: a number of seconds or a date.
    """
    if header is None:
        return None
    if re.fullmatch(r"\s*[0-9]+\s*", header, re.ASCII):
        return min(float(header), MAX_SECONDS)
    try:
        moment = parsedate_to_datetime(header)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
