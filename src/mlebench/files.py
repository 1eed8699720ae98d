"""Writing files whole or not at all, and measuring folders."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
"""Error numbers of a disk, or an account's share of it, that is full."""


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace a file's content in one step, so that a reader, or a crash, never sees half of it."""
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
            error.filename = str(path)  # a failed write does not tell by itself which file it was
        raise


def folder_size(folder: Path) -> tuple[int, int]:
    """Return the number of regular files below a folder and their bytes."""
    count = size = 0
    for root, _, names in os.walk(folder):
        for name in names:
            facts = os.lstat(f"{root}/{name}")
            count, size = count + 1, size + facts.st_size
    return count, size
