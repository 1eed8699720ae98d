"""The terminals of a job. The whole machine has a fixed number of them, which one job could take."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

MAX_TERMINALS = 128
"""How many a job may have at the same time, where the harness is root."""
_FSPICK, _FSCONFIG = 433, 431
"""Numbers of system calls, the same on all architectures."""
_AT_FDCWD = -100
_FSCONFIG_SET_STRING, _FSCONFIG_CMD_RECONFIGURE = 1, 7
"""include/uapi/linux/mount.h."""


def limit_terminals(pid: int) -> bool:
    """Limit the terminals of the job that a process belongs to; return whether that worked.

    The process must have a devpts of its own at /dev/pts, which is changed from outside.
    """
    with suppress(OSError):
        folder = f"/proc/{pid}/root/dev/pts"
        if os.stat(folder).st_dev == _own_device():  # noqa: PTH116
            return False
        options = {"mode": "620", "ptmxmode": "666", "max": str(MAX_TERMINALS)}
        group = os.stat(f"{folder}/ptmx").st_gid  # noqa: PTH116
        return _reconfigure(folder, options | ({"gid": str(group)} if group else {}))
    return False


def _own_device() -> int | None:
    try:
        return os.stat("/dev/pts").st_dev  # noqa: PTH116
    except OSError:
        return None


def _reconfigure(folder: str, options: dict[str, str]) -> bool:
    """Change the options of the file system that is mounted at a folder."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    descriptor = call(_FSPICK, _AT_FDCWD, os.fsencode(folder), 0)
    if descriptor < 0:
        return False
    try:
        done = all(
            call(_FSCONFIG, descriptor, _FSCONFIG_SET_STRING, name.encode(), value.encode(), 0) == 0
            for name, value in options.items()
        )
        return done and call(_FSCONFIG, descriptor, _FSCONFIG_CMD_RECONFIGURE, None, None, 0) == 0
    finally:
        os.close(descriptor)
