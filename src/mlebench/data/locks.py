"""File locks: one process at a time changes a folder."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LOCK = ".lock"
"""Name of the lock file of a folder."""


@contextmanager
def locked(path: Path, on_wait: Callable[[str], None] | None = None) -> Iterator[None]:
    """Hold the lock of a file; the system releases it when the process ends, even if it is killed.

    Parameters
    ----------
    path
        The lock file; it is created if it does not exist.
    on_wait
        Called before a wait with the holder of the lock, such as "process 4711".
    """
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if on_wait is not None:
                on_wait(_holder_of(path))
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def is_locked(path: Path) -> bool:
    """Whether another process holds the lock of a file."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _holder_of(path: Path) -> str:
    number = path.read_text(encoding="utf-8").strip()
    return f"process {number}" if number else "another process"
