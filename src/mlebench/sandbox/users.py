"""User ids for jobs, where the harness runs as root."""

from __future__ import annotations

import os
import pwd
import random
from contextlib import suppress

_USER_IDS = range(30_000, 60_000)
"""Below 65536: a container may have no larger ids."""


def choose_unused_uid() -> int:
    """Return a user id that has no account and that no process runs under."""
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    for entry in os.scandir("/proc"):
        with suppress(OSError):
            taken.add(entry.stat().st_uid)
    return random.choice([uid for uid in _USER_IDS if uid not in taken])
