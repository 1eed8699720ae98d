"""When a request to an upstream is retried, and after how many seconds."""

from __future__ import annotations

import email.utils
import random
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.gateway.models.responses import Response

RETRYABLE_STATUSES = frozenset({408, 429, 500, 502, 503, 504, 529})
_FIRST_DELAY, _MAX_DELAY = 0.5, 30.0
"""Seconds."""


def is_retryable(response: Response) -> bool:
    """Tell whether a response is an error that may be temporary."""
    return response.status in RETRYABLE_STATUSES and response.headers.get("x-should-retry") != "false"


def retry_delay(retries: int, headers: Mapping[str, str]) -> float:
    """Return the seconds to wait before the next attempt.

    Parameters
    ----------
    retries : int
        How many retries were made before.
    headers : mapping of str to str
        The headers of the failed response. `retry-after` decides if present; otherwise the delay doubles from attempt
        to attempt, with jitter.
    """
    requested = _retry_after(headers)
    if requested is not None:
        return requested
    return min(_MAX_DELAY, _FIRST_DELAY * 2.0**retries) * random.uniform(0.75, 1.0)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the upstream asks to wait, or None if it does not say."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers["retry-after"]
        try:
            return max(0.0, float(value))
        except ValueError:
            return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (KeyError, ValueError):
        return None
