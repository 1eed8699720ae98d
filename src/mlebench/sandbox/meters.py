"""What a running job uses: memory and disk, measured as often as is cheap."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

from mlebench.sandbox.disk import Pace, disk_usage
from mlebench.sandbox.nameless_files import measure_deleted_files, measure_memory_files
from mlebench.sandbox.process_table import read_proportional_memory, send_signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from mlebench.sandbox.cgroup import ControlGroup
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.process_table import Process

_SLICE = 0.02
"""Seconds that a large folder may hold up the supervisor at a time."""
_HURRY = 1.0
"""The same while the disk is filling up: a job may have made a million files to be looked at slowly."""


class MemoryMeter:
    """Measures memory; without a control group it also does what the kernel would do there."""

    def __init__(self, limits: Limits, group: ControlGroup | None) -> None:
        self.peak = 0
        self.group = group
        self._bound = limits.memory
        self._kills = 0
        self._victim: Process | None = None
        self._nameless = 0
        self._walk: Iterator[int] | None = None

    def measure(self, living: Sequence[Process], files: int, *, kill: bool = True) -> int:
        """Return the bytes in use.

        Where there is no group, that takes the job's processes and what its files in memory hold. `kill` says
        whether to kill the largest of them when there is no more memory.
        """
        if self.group:
            used = self.group.memory()
        else:
            files += self._nameless_files(living)
            used = files + sum(process.resident for process in living)
            if self._bound is not None and used > self._bound:
                # That counted pages shared after a fork many times; the exact number is slower to get.
                used = files + sum(read_proportional_memory(process.pid) for process in living)
                if used > self._bound and kill:
                    self._kill_largest(living)
        self.peak = max(self.peak, used)
        return used

    def kills(self) -> int:
        """Return how many processes were killed because memory ran out, as far as has been seen."""
        if self.group:
            self.note_kills(self.group.out_of_memory_kills())
        return self._kills

    def note_kills(self, number: int) -> None:
        """Take over a number that was seen elsewhere: a container's group is gone as soon as it ends."""
        self._kills = max(self._kills, number)

    def _nameless_files(self, living: Sequence[Process]) -> int:
        """Return what files of memfd_create hold, as far as they have been found: many take many calls."""
        end = time.monotonic() + _SLICE
        self._walk = self._walk or measure_memory_files(living)
        found = 0
        for found in self._walk:
            if time.monotonic() > end:
                return max(found, self._nameless)
        self._walk, self._nameless = None, found
        return found

    def _kill_largest(self, living: Sequence[Process]) -> None:
        if self._victim and any(process.pid == self._victim.pid for process in living):
            return  # it takes a moment to give back what it held
        if not living:
            return
        self._victim = max(living, key=lambda process: process.resident)
        self._kills += send_signal(self._victim, signal.SIGKILL)


class DiskMeter:
    """Measures what a job has written into a folder, a slice at a time."""

    def __init__(self, folder: Path, bound: int | None) -> None:
        self._folder = folder
        self._bound = bound
        self._pace = Pace(0.5)
        self._hint = Pace(0.5)
        self._device = folder.stat().st_dev
        self._used = 0
        self._free = self._free_bytes()
        self._walk: Iterator[int] | None = None

    def is_due(self) -> bool:
        """Tell whether to measure: it is time, or the disk has lost as much as the job may still write."""
        if self._bound is None:
            return False
        if self._walk or self._pace.is_due():
            return True
        if not self._hint.is_due():
            return False
        began = time.monotonic()
        filling = self._is_filling(self._bound)
        self._hint.spent(began)
        return filling

    def measure(self, living: Callable[[], Sequence[Process]]) -> int:
        """Go on measuring; return the bytes on disk as far as they are known.

        Files without a name that a process holds open are included.
        """
        assert self._bound is not None
        began = time.monotonic()
        whole = self._walk is None
        if self._walk is None:
            self._free = self._free_bytes()
            self._walk = self._all(living)
        end = began + (_HURRY if self._is_filling(self._bound) else _SLICE)
        used = 0
        for used in self._walk:
            if used > self._bound:
                break
            if time.monotonic() > end:
                return self._used
        self._walk = None
        if used > self._bound and not whole:
            # What was moved or replaced between two slices may have been counted twice.
            *_, used = self._all(living)
        self._used = used
        self._pace.spent(began)
        return self._used

    def _all(self, living: Callable[[], Sequence[Process]]) -> Iterator[int]:
        """Yield the bytes found so far: in the folder, then in files without a name."""
        named = 0
        for named in disk_usage(self._folder):
            yield named
        for nameless in measure_deleted_files(living(), self._device):
            yield named + nameless

    def _is_filling(self, bound: int) -> bool:
        """Tell whether the disk has lost as much, since the last look at the folder began, as the job may write."""
        return self._free - self._free_bytes() > bound - self._used

    def _free_bytes(self) -> int:
        facts = os.statvfs(self._folder)
        return facts.f_bfree * facts.f_frsize
