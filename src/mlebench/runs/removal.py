"""Removing a folder that an agent has filled: nested without end, closed to its owner, with millions of files.

`shutil.rmtree` calls itself for each level, and so fails where there are a thousand.
"""

from __future__ import annotations

import itertools
import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(folder: Path) -> None:
    """Remove a folder in which nobody is at work any more; what cannot be removed stays.

    Inner folders are moved up, each once, to beside the outermost ones, so no path is ever long.
    """
    with suppress(OSError):
        top = os.open(folder, _FOLDER)
        try:
            names = (f".removed-{number}" for number in itertools.count())
            waiting = _empty(top, top, names)
            while waiting:
                name = waiting.pop()
                with suppress(OSError):
                    os.chmod(name, 0o700, dir_fd=top)  # its owner may have closed it
                    inner = os.open(name, _FOLDER, dir_fd=top)
                    try:
                        waiting += _empty(inner, top, names)
                    finally:
                        os.close(inner)
                    os.rmdir(name, dir_fd=top)
        finally:
            os.close(top)
        folder.rmdir()


def _empty(inner: int, top: int, names: Iterator[str]) -> list[str]:
    """Unlink the files of an open folder and move its folders to `top`; return their names there."""
    moved = []
    with os.scandir(inner) as entries:
        for entry in list(entries):
            with suppress(OSError):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.name, dir_fd=inner)
                    continue
                name = next(names)
                os.chmod(entry.name, 0o700, dir_fd=inner)  # or it could not be moved by its owner
                os.rename(entry.name, name, src_dir_fd=inner, dst_dir_fd=top)
                moved.append(name)
    return moved
