"""The process that holds a job together: all processes of the job descend from it, and none can leave.

In bubblewrap it is the first process of the job's PID namespace; elsewhere it is `inside.py`, which adopts
orphans.
"""

from __future__ import annotations

import os
import selectors
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from mlebench.sandbox import processes

if TYPE_CHECKING:
    import subprocess

_SECONDS = 30.0
"""How long to go on killing; only a process stuck in the kernel survives that."""


class Keeper:
    """One living keeper, held by a descriptor, so that its number cannot come to mean another process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.descriptor = os.pidfd_open(pid)

    def close(self) -> None:
        """Let go."""
        os.close(self.descriptor)

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Wait for the end; tell whether it came."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.descriptor, selectors.EVENT_READ)
            return bool(selector.select(seconds))

    def processes(self) -> list[processes.Process]:
        """Return the job's living processes."""
        found = processes.descendants(self.pid)
        return [] if self.has_ended() else found

    def memory_files(self) -> int:
        """Return the bytes that the job keeps in file systems of its own that live in memory."""
        used = 0
        for folder in ("tmp", "dev/shm"):
            with suppress(OSError):
                facts = os.statvfs(f"/proc/{self.pid}/root/{folder}")
                used += (facts.f_blocks - facts.f_bfree) * facts.f_frsize
        return used

    def kill_namespace(self) -> bool:
        """Kill the first process of a namespace: the kernel kills all others, and reports its end last."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.descriptor, signal.SIGKILL)
        return self.has_ended(_SECONDS)

    def kill_descendants(self, own: subprocess.Popen[bytes], token: str) -> bool:
        """Kill all below the keeper, which loses none, and strays that carry the job's marker."""
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            left = self.processes()
            left += [stray for stray, _ in processes.marked(token) if stray.pid != own.pid]
            if not left:
                return True
            for process in left:
                processes.send(process, signal.SIGKILL)
            time.sleep(0.005)
        return False
