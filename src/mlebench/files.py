"""Writing files whole or not at all, and measuring folders."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


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
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def folder_size(folder: Path) -> tuple[int, int]:
    """Return the number of regular files below a folder and their bytes."""
    count = size = 0
    for root, _, names in os.walk(folder):
        for name in names:
            facts = os.lstat(f"{root}/{name}")
            count, size = count + 1, size + facts.st_size
    return count, size
