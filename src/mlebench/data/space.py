"""How much room there is on a disk, how much is asked for, and what a folder takes."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from mlebench.errors import DiskFullError
from mlebench.ground.wording import format_size

if TYPE_CHECKING:
    from pathlib import Path

MARGIN = 0.02
"""Share of what is asked for that is added to it: folders and file ends take room too."""


BLOCK = 4096
"""Bytes of which most disks give a file a whole number."""


def on_disk(size: int) -> int:
    """Return the bytes that a file of a size takes."""
    return -(-size // BLOCK) * BLOCK


def free_bytes(place: Path) -> int:
    """Return the bytes free on the disk of a place, which need not exist yet."""
    place = place.absolute()
    return shutil.disk_usage(next(path for path in (place, *place.parents) if path.exists())).free


def require_space(place: Path, size: int, purpose: str) -> None:
    """Raise DiskFullError unless there is room for so many bytes."""
    free = free_bytes(place)
    if size * (1 + MARGIN) > free:
        raise DiskFullError(
            f"The disk of {place} has {format_size(free)} free and {format_size(size)} are needed to {purpose}; "
            "make room (mlebench data clean) or name another folder, then give the same command again."
        )


def disk_usage(folder: Path, *, freed: bool = False) -> int:
    """Return the bytes on disk of the files below a folder; with `freed`, of those that have no other name."""
    total, stack = 0, [os.fspath(folder)]
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
                facts = entry.stat(follow_symlinks=False)
                if not freed or facts.st_nlink == 1:
                    total += facts.st_blocks * 512
    return total
