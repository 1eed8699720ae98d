"""Free space on a disk, required space, and the space that a folder takes."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from mlebench.errors import DiskFullError
from mlebench.ground.wording import format_size

if TYPE_CHECKING:
    from pathlib import Path

MARGIN = 0.02
"""Share that is added to required space, for folders and the ends of files."""
BLOCK_BYTES = 4096
"""Block size of most file systems."""


def size_on_disk(size: int) -> int:
    """Return the bytes that a file of `size` bytes takes on the disk."""
    return -(-size // BLOCK_BYTES) * BLOCK_BYTES


def free_bytes(path: Path) -> int:
    """Return the free bytes on the disk of a path, which need not exist yet."""
    path = path.absolute()
    return shutil.disk_usage(next(each for each in (path, *path.parents) if each.exists())).free


def require_space(path: Path, size: int, purpose: str) -> None:
    """Raise DiskFullError unless the disk has room for `size` bytes; `purpose` is an infinitive for the message."""
    free = free_bytes(path)
    if size * (1 + MARGIN) > free:
        raise DiskFullError(
            f"The disk of {path} has {format_size(free)} free and {format_size(size)} are needed to {purpose}; "
            "free some space (mlebench data clean), then run the same command again."
        )


def disk_usage(path: Path, *, exclusive: bool = False) -> int:
    """Return the bytes on disk of a file or of all files below a folder; 0 if there is none.

    With `exclusive`, only files without a second hard link count: the bytes that deleting would free.
    """
    if not path.is_dir():
        return path.stat().st_blocks * 512 if path.exists() else 0
    total, stack = 0, [os.fspath(path)]
    while stack:
        try:
            entries = os.scandir(stack.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                    continue
                status = entry.stat(follow_symlinks=False)
                if not exclusive or status.st_nlink == 1:
                    total += status.st_blocks * 512
    return total
