"""The disk usage of a folder that may be large, hostile, and changing."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_FILE_BYTES = 4096
"""Bytes that any file counts as, even an empty one: a file system has room for a limited number of files."""
_BLOCK_BYTES = 512
"""Unit of `st_blocks`."""
_FILES_PER_STEP = 256


def measure_disk_usage(folder: Path) -> Iterator[int]:
    """Measure the bytes on disk below a folder.

    The measurement is incremental: the caller may pause between two values, so that a folder of a million files
    delays nothing else. A path too long for the kernel counts as `sys.maxsize` bytes, since it can only serve to hide
    files from being counted.

    Yields
    ------
    int
        Bytes found so far; the last value is the total.
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
            # A job without root's rights may remove its own permissions to hide what is in a folder.
            with suppress(OSError):
                _restore_access(path)
                stack.append(path)
            continue
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                total = sys.maxsize
                break
            continue
        with entries:
            for number, entry in enumerate(entries, start=1):
                try:
                    status = entry.stat(follow_symlinks=False)
                    is_folder = entry.is_dir(follow_symlinks=False)
                except OSError as error:
                    total = sys.maxsize if error.errno == errno.ENAMETOOLONG else total
                    continue
                if status.st_dev != device or status.st_ino in linked:
                    continue
                if is_folder:
                    stack.append(entry.path)
                elif status.st_nlink > 1:
                    linked.add(status.st_ino)
                total += max(MIN_FILE_BYTES, status.st_blocks * _BLOCK_BYTES)
                if number % _FILES_PER_STEP == 0:
                    yield total
        yield total
    yield total


def _restore_access(path: str) -> None:
    """Give the owner of a folder all rights to it again; raise PermissionError if they are there already."""
    descriptor = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        mode = os.fstat(descriptor).st_mode
        if mode & stat.S_IRWXU == stat.S_IRWXU:
            raise PermissionError(path)
        Path(f"/proc/self/fd/{descriptor}").chmod(mode | stat.S_IRWXU)
    finally:
        os.close(descriptor)
