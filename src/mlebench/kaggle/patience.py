"""How long Kaggle is borne with."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import threading


@dataclass(frozen=True)
class Patience:
    """How often something is tried and how long is waited in between; times in seconds."""

    attempts: int = 4
    """Tries of a call."""
    cuts: int = 8
    """Cuts of a transfer that hardly gets on in between."""
    pause: float = 1.0
    """Before the second try; it doubles with each further one."""
    longest_wait: float = 600.0
    """Longest that is waited in all because Kaggle says there are too many requests."""
    connect: float = 15.0
    """Until a connection stands."""
    read: float = 60.0
    """Between two bytes."""

    def before(self, attempt: int) -> float:
        """Return the pause before a try, the first being 1; no two processes wait the same."""
        return self.pause * 2.0 ** max(0, attempt - 2) * random.uniform(0.75, 1.25)

    def wait(self, seconds: float, cancel: threading.Event | None = None) -> None:
        """Wait, at most until `cancel` is set."""
        if cancel is None:
            time.sleep(seconds)
        else:
            cancel.wait(seconds)


def retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, a number or a date; None for what is neither."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
