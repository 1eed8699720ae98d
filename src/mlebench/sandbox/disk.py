"""How much a job has written: the measuring of a folder that may be large, hostile, and changing."""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST = 4096
"""Bytes that any file counts as, even an empty one: a file system has only so many of them."""


class Pace:
    """Says when to measure: not more often than every `period`, nor for more than a share of the time."""

    def __init__(self, period: float, share: float = 0.1) -> None:
        self.period = period
        self.share = share
        self._next = time.monotonic() + period

    def is_due(self) -> bool:
        """Tell whether it is time to measure."""
        return time.monotonic() >= self._next

    def spent(self, began: float) -> None:
        """Note that a measurement that began then has just ended."""
        now = time.monotonic()
        self._next = now + max(self.period, (now - began) / self.share)


def disk_usage(folder: Path) -> Iterator[int]:
    """Yield the bytes on disk below a folder that were found so far; the last number is the whole.

    A caller may take its time between two numbers, so that a folder of a million files stops nothing else.
    """
    total = 0
    linked: set[int] = set()
    device = folder.stat().st_dev
    stack: list[str] = [str(folder)]
    while stack:
        path = stack.pop()
        try:
            entries = os.scandir(path)
        except PermissionError:
            # A job without root's rights may close its own folder to hide what is in it.
            with suppress(OSError):
                _reopen(path)
                stack.append(path)
            continue
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # nobody nests that deep but to hide from being counted
                total = sys.maxsize
                break
            continue
        with entries:
            for number, entry in enumerate(entries, start=1):
                try:
                    facts = entry.stat(follow_symlinks=False)
                    is_folder = entry.is_dir(follow_symlinks=False)
                except OSError as error:
                    total = sys.maxsize if error.errno == errno.ENAMETOOLONG else total
                    continue
                if facts.st_dev != device or facts.st_ino in linked:
                    continue
                if is_folder:
                    stack.append(entry.path)
                elif facts.st_nlink > 1:
                    linked.add(facts.st_ino)
                total += max(LEAST, facts.st_blocks * 512)
                if number % 256 == 0:
                    yield total
        yield total
    yield total


def _reopen(path: str) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        mode = os.fstat(descriptor).st_mode
        if mode & 0o700 == 0o700:
            raise PermissionError(path)  # closed by something else; do not try for ever
        Path(f"/proc/self/fd/{descriptor}").chmod(mode | 0o700)
    finally:
        os.close(descriptor)
