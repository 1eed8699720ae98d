"""Where a Unix socket of the harness really lies: paths end at 107 bytes, and killed harnesses leave sockets."""

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

LONGEST = 107
"""Bytes that the kernel takes as the path of a Unix socket."""


@contextmanager
def socket_path(asked: Path) -> Iterator[Path]:
    """Give a path to listen at while the context is open: the one asked for, or a short one if that is too long.

    A socket that lies there already, of a harness that was killed, is removed; so is the socket at the end.
    """
    short = None
    path = asked
    if len(os.fsencode(asked)) > LONGEST:
        short = _short_folder()
        path = short / "s.sock"
    with suppress(FileNotFoundError):
        if stat.S_ISSOCK(path.lstat().st_mode):
            path.unlink()
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
        if short:
            shutil.rmtree(short, ignore_errors=True)


def _short_folder() -> Path:
    """Make a folder with a short path; remove those of harness processes that were killed."""
    for old in Path("/tmp").glob("mlebench-*"):
        if is_orphaned(old.name.removeprefix("mlebench-")):
            shutil.rmtree(old, ignore_errors=True)
    folder = Path("/tmp") / f"mlebench-{new_token()}"
    folder.mkdir(mode=0o755)
    return folder
