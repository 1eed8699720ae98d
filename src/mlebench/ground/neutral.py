"""Files whose metadata say nothing: written in random order, with one time.

Raw archives often go class by class. Inode numbers, times and places on the disk follow the order in which files are
written, and a sandbox shows them. So whoever unpacks many files does it in random order and marks each of them with
`NEUTRAL_TIME`; the mark survives hard links and renaming. `data/neutral.py` copies the files that lack it.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NEUTRAL_TIME = 1_000_000_001 * 10**9
"""Access and modification time of neutral files, in nanoseconds since 1970: a moment in September 2001.

With another time, files that are marked already are placed again. Those of the second before were unpacked into the
folders of their classes, from which ext4 chooses inode numbers."""

T = TypeVar("T")


def shuffled(items: Iterable[T]) -> list[T]:
    """Return items in an order that nobody can compute.

    A hash of the names would not do: who knows all raw names could sort them in the same way, and then tell the raw
    name of each file.
    """
    drawn = list(items)
    random.SystemRandom().shuffle(drawn)
    return drawn


def mark_neutral(path: Path | str) -> None:
    """Give a file or folder the time of neutral files."""
    os.utime(path, ns=(NEUTRAL_TIME, NEUTRAL_TIME), follow_symlinks=False)


def is_marked(status: os.stat_result) -> bool:
    """Return whether a file has the time of neutral files."""
    return status.st_mtime_ns == NEUTRAL_TIME
