"""The file systems in memory that only one job sees."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_TARGETS = ("/tmp", "/dev/shm")
_INODE_BYTES = 1024
"""Memory of the kernel for an empty file in a tmpfs."""


class MemoryMounts:
    """The tmpfs at /tmp and /dev/shm of a job, held open, so that what is measured is always the job's own.

    Parameters
    ----------
    pid : int
        A process of the job that has already left the host's root folder.
    """

    def __init__(self, pid: int) -> None:
        self._descriptors: list[int] = []
        with suppress(OSError):
            mounted = _list_tmpfs(pid)
            for target in _TARGETS:
                if target in mounted:
                    self._descriptors.append(os.open(f"/proc/{pid}/root{target}", os.O_PATH | os.O_DIRECTORY))

    def measure(self) -> int:
        """Return the bytes of memory that files and folders take."""
        used = 0
        for descriptor in self._descriptors:
            with suppress(OSError):
                status = os.fstatvfs(descriptor)
                used += (status.f_blocks - status.f_bfree) * status.f_frsize
                used += (status.f_files - status.f_ffree) * _INODE_BYTES
        return used

    def close(self) -> None:
        """Release the file systems; closing again does nothing."""
        while self._descriptors:
            os.close(self._descriptors.pop())


def _list_tmpfs(pid: int) -> set[str]:
    """Return the folders at which a process sees a tmpfs that differs from those of this process."""
    own = {device for _, device in _read_mounts("self")}
    return {target for target, device in _read_mounts(str(pid)) if device not in own}


def _read_mounts(process: str) -> list[tuple[str, str]]:
    """Return the folder and the device of each tmpfs that a process sees; see proc_pid_mountinfo(5)."""
    found = []
    for line in Path(f"/proc/{process}/mountinfo").read_text(errors="replace").splitlines():
        fields, _, rest = line.partition(" - ")
        if rest.startswith("tmpfs "):
            _, _, device, _, target = fields.split()[:5]
            found.append((target, device))
    return found
