"""Scratch folders: data are made there and moved into place in one step; a killed process leaves no half-made data.

DATA/ID/.preparing-XXXX/               a scratch folder; its content never counts as data
DATA/ID/.preparing-XXXX/leaving.json   written before the move: what is moved where, and what is removed after it
DATA/ID/.preparing-XXXX/replaced/      the folder that the new one replaces, during the move
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCRATCH_PREFIX = ".preparing-"
REPLACED = "replaced"
LEAVING = "leaving.json"


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Create a scratch folder and remove it at the end."""
    scratch = Path(tempfile.mkdtemp(prefix=SCRATCH_PREFIX, dir=parent))
    try:
        yield scratch
    finally:
        _finish(scratch)


def move_into_place(made: Path, target: Path, leaving: Iterable[Path]) -> None:
    """Move a folder from its scratch folder to its place.

    If the process is killed during the move, `clear_leftovers` completes it or restores the old folder.

    Parameters
    ----------
    made
        A folder directly below a scratch folder.
    target
        Its final path, beside the scratch folder. A folder that is there is replaced.
    leaving
        Files and folders beside the scratch folder that are removed together with it.
    """
    scratch = made.parent
    names = [made.name, target.name, *(path.name for path in leaving)]
    (scratch / LEAVING).write_text(json.dumps(names), encoding="utf-8")
    if target.exists():
        (scratch / REPLACED).mkdir()
        target.rename(scratch / REPLACED / target.name)
    made.rename(target)


def remove(paths: Iterable[Path], parent: Path) -> None:
    """Remove files and folders below `parent` by way of a scratch folder, so that none is ever half removed."""
    with scratch_folder(parent) as scratch:
        for number, path in enumerate(paths):
            if path.exists():
                path.rename(scratch / str(number))


def clear_leftovers(parent: Path) -> None:
    """Complete or undo what killed processes began in `parent`, and remove their scratch folders."""
    for leftover in parent.glob(f"{SCRATCH_PREFIX}*"):
        _finish(leftover)


def _finish(scratch: Path) -> None:
    """Restore a folder that was not replaced, or else remove what is leaving; then remove the scratch folder."""
    note, parent = scratch / LEAVING, scratch.parent
    for old in (scratch / REPLACED).glob("*"):
        if not (parent / old.name).exists():
            old.rename(parent / old.name)
            note.unlink(missing_ok=True)
    try:
        made, target, *names = json.loads(note.read_bytes())
    except (FileNotFoundError, ValueError):  # missing or truncated, so nothing was moved
        made, target, names = "", "", []
    if not (scratch / made).exists() and (parent / target).exists():
        for name in names:
            if (parent / name).exists():
                (parent / name).rename(scratch / f"leaving-{name}")
    note.unlink(missing_ok=True)  # before the files that it names are removed
    shutil.rmtree(scratch, ignore_errors=True)
