"""Paths of the harness's Unix sockets: short enough to bind, and free of sockets that killed processes left."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.sandbox.tokens import is_orphaned, new_token

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PATH_BYTES = 107
"""Longest path of a Unix socket that the kernel accepts."""


@contextmanager
def bindable_path(requested: Path) -> Iterator[Path]:
    """Yield a path that a Unix socket can be bound to; remove the socket when the context ends.

    It is the requested path, or one in a temporary folder if that is too long. A socket that a killed harness left
    at this path is removed first.
    """
    path, folder = requested, None
    if len(os.fsencode(requested)) > MAX_PATH_BYTES:
        folder = _make_short_folder()
        path = folder / "s.sock"
    with suppress(FileNotFoundError):
        if stat.S_ISSOCK(path.lstat().st_mode):
            path.unlink()
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _make_short_folder() -> Path:
    """Make a folder with a short path; remove those of harness processes that were killed."""
    for old in Path("/tmp").glob("mlebench-*"):
        if is_orphaned(old.name.removeprefix("mlebench-")):
            shutil.rmtree(old, ignore_errors=True)
    folder = Path("/tmp") / f"mlebench-{new_token()}"
    folder.mkdir(mode=0o755)
    return folder
