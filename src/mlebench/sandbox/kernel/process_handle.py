"""A handle on a living process."""

from __future__ import annotations

import os
import selectors
import signal
from contextlib import suppress

from mlebench.sandbox.kernel.process_table import Process, list_descendants


class ProcessHandle:
    """One living process, held by a pidfd, so that its id cannot come to mean another process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def close(self) -> None:
        """Close the handle; the process goes on."""
        os.close(self._descriptor)

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Wait at most this long for the end of the process; return whether it has ended."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._descriptor, selectors.EVENT_READ)
            return bool(selector.select(seconds))

    def list_descendants(self) -> list[Process]:
        """Return the living descendants of the process."""
        found = list_descendants(self.pid)
        return [] if self.has_ended() else found

    def kill(self) -> None:
        """Send SIGKILL."""
        with suppress(OSError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
