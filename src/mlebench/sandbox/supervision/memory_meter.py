"""Measures how much memory a running job uses."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

from mlebench.sandbox.kernel.nameless_files import measure_memory_files
from mlebench.sandbox.kernel.process_memory import measure_memory, measure_page_tables
from mlebench.sandbox.kernel.process_table import send_signal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mlebench.sandbox.kernel.cgroup import ControlGroup
    from mlebench.sandbox.kernel.process_table import Process

_SLICE_SECONDS = 0.02
"""How long one call may look for files of memfd_create(2): many of them take many system calls."""


class MemoryMeter:
    """Measures memory. Where the kernel enforces no limit, it kills the largest process as the kernel would.

    Parameters
    ----------
    limit : int or None
        Bytes that the job may use.
    group : ControlGroup or None
        The job's control group. Without one, its processes are measured.
    kills : bool
        Whether to kill the largest process when the job exceeds its limit.
    """

    def __init__(self, limit: int | None, group: ControlGroup | None, *, kills: bool) -> None:
        self.peak = 0
        """Bytes."""
        self.group = group
        self._limit = limit
        self._enforces = kills
        self._kills = 0
        self._victim: Process | None = None
        self._memory_files = 0
        self._measurement: Iterator[int] | None = None

    def measure(self, living: Sequence[Process], unmapped: int) -> int:
        """Return the bytes in use.

        Parameters
        ----------
        living : sequence of Process
            The job's living processes. Unused where there is a control group, like `unmapped`.
        unmapped : int
            Bytes in the job's own file systems and sockets.
        """
        used = self.group.memory() if self.group else self._measure_processes(living, unmapped)
        self.peak = max(self.peak, used)
        return used

    def count_kills(self) -> int:
        """Return how many processes are known to have been killed because memory ran out."""
        if self.group:
            self.note_kills(self.group.out_of_memory_kills())
        return self._kills

    def note_kills(self, number: int) -> None:
        """Take over a count from elsewhere: the control group of a container is gone as soon as the container ends."""
        self._kills = max(self._kills, number)

    def _measure_processes(self, living: Sequence[Process], unmapped: int) -> int:
        files = unmapped + self._measure_memory_files(living)
        used = files + sum(process.resident + measure_page_tables(process.task) for process in living)
        if self._limit is not None and used > self._limit:
            # Pages shared after a fork were counted many times, and files in memory again where they are mapped. The
            # exact number takes longer to get.
            exact = measure_memory(living)
            used = max(files, exact.shared) + exact.private + exact.kernel
            if used > self._limit and self._enforces:
                self._kill_largest(living)
        return used

    def _measure_memory_files(self, living: Sequence[Process]) -> int:
        """Return the bytes in files of memfd_create(2), as far as they have been found."""
        end = time.monotonic() + _SLICE_SECONDS
        self._measurement = self._measurement or measure_memory_files(living)
        found = 0
        for found in self._measurement:
            if time.monotonic() > end:
                return max(found, self._memory_files)
        self._measurement, self._memory_files = None, found
        return found

    def _kill_largest(self, living: Sequence[Process]) -> None:
        if self._victim and any(process.pid == self._victim.pid for process in living):
            return  # the last one killed needs a moment to free its memory
        if not living:
            return
        self._victim = max(living, key=lambda process: process.resident)
        self._kills += send_signal(self._victim, signal.SIGKILL)
