"""Measures how much a running job has written to disk."""

from __future__ import annotations

import ctypes
import os
import time
from typing import TYPE_CHECKING

from mlebench.sandbox.kernel.nameless_files import measure_deleted_files
from mlebench.sandbox.supervision.disk_usage import measure_disk_usage
from mlebench.sandbox.supervision.throttle import Throttle
from mlebench.sandbox.volume import is_volume

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from mlebench.sandbox.kernel.process_table import Process

_SLICE_SECONDS = 0.02
"""How long one call may measure: a large folder must not delay the supervisor."""
_URGENT_SLICE_SECONDS = 1.0
"""The same while the disk is filling up: a job may have made a million files to slow the measurement down."""
_PERIOD = 0.5


class DiskMeter:
    """Measures the bytes on disk below a folder, a slice at a time.

    A folder that is a file system of its own (`volume.py`) tells at once what is in it, and hides nothing. Its files
    are counted all the same, since an empty one counts too.

    Parameters
    ----------
    folder : Path
        The folder that the job writes to.
    limit : int or None
        Bytes that it may write; None measures nothing.
    """

    def __init__(self, folder: Path, limit: int | None) -> None:
        self._folder = folder
        self._limit = limit
        self._folder_throttle = Throttle(_PERIOD)
        self._free_throttle = Throttle(_PERIOD)
        self._device = folder.stat().st_dev
        self.is_volume = is_volume(folder)
        """Whether the folder is a file system of its own."""
        self._used = 0
        self._is_host_short = False
        # The kernel reports each failure to write once to those who had the file system open before.
        self._descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY) if self.is_volume else -1
        self._free = self._free_bytes()
        self._measurement: Iterator[int] | None = None

    def is_due(self) -> bool:
        """Return whether to measure: the time has come, or the disk has lost as much as the job may still write."""
        if self._limit is None:
            return False
        if self._measurement or self._folder_throttle.is_due() or self.is_full():
            return True
        if not self._free_throttle.is_due():
            return False
        began = time.monotonic()
        is_filling = self._is_filling(self._limit)
        self._free_throttle.record(began)
        return is_filling

    def is_full(self) -> bool:
        """Return whether the folder is a file system of its own with more in it than the job may write."""
        return self.is_volume and self._limit is not None and self._volume_bytes() > self._limit

    def has_lost_writes(self) -> bool:
        """Return whether the machine's disk had no room for what the job wrote to its own file system."""
        return self._is_host_short and ctypes.CDLL(None).syncfs(self._descriptor) != 0

    def close(self) -> None:
        """Close what is open; closing again does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def measure(self, list_processes: Callable[[], Sequence[Process]]) -> int:
        """Continue the measurement.

        Parameters
        ----------
        list_processes : callable
            Returns the living processes of the job. Deleted files that they hold open count too.

        Returns
        -------
        int
            Bytes on disk, as of the last complete measurement, or more than the limit as soon as that is certain.
        """
        assert self._limit is not None
        if self.is_volume:
            status = os.statvfs(self._folder.parent)
            self._is_host_short |= status.f_bavail * status.f_frsize < self._limit
        began = time.monotonic()
        in_one_slice = self._measurement is None
        if self._measurement is None:
            self._free = self._free_bytes()
            self._measurement = self._measure_all(list_processes)
        if self.is_full():
            return self._volume_bytes()
        end = began + (_URGENT_SLICE_SECONDS if self._is_filling(self._limit) else _SLICE_SECONDS)
        used = 0
        for used in self._measurement:
            if used > self._limit:
                break
            if time.monotonic() > end:
                return self._used
        self._measurement = None
        if used > self._limit and not in_one_slice:
            # Files that were moved or replaced between two slices may have been counted twice.
            *_, used = self._measure_all(list_processes)
        self._used = max(used, self._volume_bytes()) if self.is_volume else used
        self._folder_throttle.record(began)
        return self._used

    def _measure_all(self, list_processes: Callable[[], Sequence[Process]]) -> Iterator[int]:
        """Yield the bytes found so far, in the folder and then in deleted files."""
        named = 0
        for named in measure_disk_usage(self._folder):
            yield named
        if self.is_volume:
            return
        for deleted in measure_deleted_files(list_processes(), self._device):
            yield named + deleted

    def _is_filling(self, limit: int) -> bool:
        """Return whether the disk has lost more, since the measurement began, than the job may still write."""
        return self._free - self._free_bytes() > limit - self._used

    def _volume_bytes(self) -> int:
        status = os.statvfs(self._folder)
        return (status.f_blocks - status.f_bfree) * status.f_frsize

    def _free_bytes(self) -> int:
        status = os.statvfs(self._folder)
        return status.f_bfree * status.f_frsize
