"""Removing a folder that an agent filled: deeply nested, without permissions, with millions of files.

`shutil.rmtree` is recursive and fails at a depth of about a thousand.
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
    """Remove a folder that no process uses any more; what cannot be removed stays.

    Inner folders are moved to the top, each once, so that no path is ever long.
    """
    with suppress(OSError):
        top = os.open(folder, _FOLDER)
        try:
            names = (f".removed-{number}" for number in itertools.count())
            waiting = _empty(top, top, names)
            while waiting:
                name = waiting.pop()
                with suppress(OSError):
                    os.chmod(name, 0o700, dir_fd=top)  # the agent may have removed its permissions
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
    """Delete the files of an open folder and move its folders to `top`; return their names there."""
    moved = []
    with os.scandir(inner) as entries:
        for entry in list(entries):
            with suppress(OSError):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.name, dir_fd=inner)
                    continue
                name = next(names)
                os.chmod(entry.name, 0o700, dir_fd=inner)  # a folder without permissions cannot be moved
                os.rename(entry.name, name, src_dir_fd=inner, dst_dir_fd=top)
                moved.append(name)
    return moved
