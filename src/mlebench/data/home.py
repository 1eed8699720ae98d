"""A competition's folder in the data directory: one process at a time, work aside, moves in one step.

DATA/ID/.lock                held while anything here changes
DATA/ID/.preparing-XXXX/     something is made or removed here; what is in it never counts
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LOCK = ".lock"
SCRATCH = ".preparing-"
"""Beginning of the names of folders in which something is made or removed."""
REPLACED = "replaced"
LEAVING = "leaving.json"
"""Names of what is to go once the data are in place: whoever comes next ends what a killed call began."""


@contextmanager
def locked(path: Path, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Hold a lock that the system releases when the process ends, however it ends.

    Where another process holds it, `waiting` is told which one before the wait begins.
    """
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waiting is not None:
                waiting(_holder_of(path))
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def is_locked(path: Path) -> bool:
    """Say whether another process holds a lock now."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


@contextmanager
def scratch_folder(home: Path) -> Iterator[Path]:
    """Give a folder to work in that is gone afterwards."""
    scratch = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=home))
    try:
        yield scratch
    finally:
        _finish(scratch)


def move_into_place(made: Path, target: Path, leaving: Iterable[Path]) -> None:
    """Put what was made in a scratch folder in its place; what is `leaving` goes with the scratch folder.

    Between the two renames nothing is prepared. Killed at any moment, `clear_leftovers` brings it to an end.
    """
    scratch = made.parent
    names = [made.name, target.name, *(path.name for path in leaving)]
    (scratch / LEAVING).write_text(json.dumps(names), encoding="utf-8")
    if target.exists():
        (scratch / REPLACED).mkdir()
        target.rename(scratch / REPLACED / target.name)
    made.rename(target)


def remove(paths: Iterable[Path], home: Path) -> None:
    """Remove files and folders of a competition's by way of a scratch folder: nothing half-removed bears its name."""
    with scratch_folder(home) as scratch:
        for number, path in enumerate(paths):
            if path.exists():
                path.rename(scratch / str(number))


def clear_leftovers(home: Path) -> None:
    """Bring to an end what killed calls began."""
    for leftover in home.glob(f"{SCRATCH}*"):
        _finish(leftover)


def _finish(scratch: Path) -> None:
    """Put back what was about to be replaced, or take away what is leaving; then the scratch folder goes."""
    note, home = scratch / LEAVING, scratch.parent
    for old in (scratch / REPLACED).glob("*"):
        if not (home / old.name).exists():
            old.rename(home / old.name)
            note.unlink(missing_ok=True)
    try:
        made, target, *names = json.loads(note.read_bytes())
    except (FileNotFoundError, ValueError):  # not written, or cut short: nothing was moved
        made, target, names = "", "", []
    if not (scratch / made).exists() and (home / target).exists():
        for name in names:
            if (home / name).exists():
                (home / name).rename(scratch / f"leaving-{name}")
    note.unlink(missing_ok=True)  # first: it speaks of what may be half removed in a moment
    shutil.rmtree(scratch, ignore_errors=True)


def _holder_of(path: Path) -> str:
    number = path.read_text(encoding="utf-8").strip()
    return f"process {number}" if number else "another process"
