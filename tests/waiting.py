"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def wait_until(condition: Callable[[], T], seconds: float = 120) -> T:
    """Wait until a condition holds, at most so many seconds, and return its last value.

    The maximum only ends a test that hangs. It is generous, because other processes may keep the machine busy.
    """
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return value
