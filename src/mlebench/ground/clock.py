"""The present time, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present time as an aware datetime in UTC."""
    return datetime.now(UTC)


def get_timestamp() -> str:
    """Return the present time in UTC as `YYYY-MM-DDTHH-MM-SS-UTC`, fit for file names."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-%Z")
