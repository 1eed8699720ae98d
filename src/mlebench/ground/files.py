"""Write files atomically, measure folders, and find the home folder."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
"""Error numbers for a full disk or an exhausted quota."""


def home_folder() -> Path:
    """Return the home folder of the user; `/` for accounts without one, which containers may have."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file in one step: readers, and crashes, never leave or see a part of it."""
    data = content.encode() if isinstance(content, str) else content
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)  # noqa: PTH101
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # the error of a write does not name the file
        raise


def folder_size(folder: Path, *, open_to_all: bool = False) -> tuple[int, int]:
    """Return the number of files below a folder, and the sum of their sizes in bytes.

    With `open_to_all`, folders get mode 755 and regular files become readable for all users; links do not change.
    """
    count = size = 0
    for root, _, names in os.walk(folder):
        if open_to_all:
            Path(root).chmod(0o755)
        for name in names:
            path = f"{root}/{name}"
            facts = os.lstat(path)
            count, size = count + 1, size + facts.st_size
            if open_to_all and stat.S_ISREG(facts.st_mode) and facts.st_mode & 0o444 != 0o444:
                Path(path).chmod(stat.S_IMODE(facts.st_mode) | 0o444)
    return count, size
