"""Where an agent really works on this machine: a folder whose path says nothing.

The kernel tells a sandbox the host paths of what is mounted into it, so neither competition nor agent nor seed
may stand in them. Short paths also keep Unix sockets below the length that the kernel allows.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mlebench.runs.removal import remove_tree
from mlebench.sandbox.tokens import is_orphaned, new_token

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORK = ".work"
"""Folder beside the groups that holds the workplaces of running agents."""


@contextmanager
def workplace(runs_dir: Path) -> Iterator[Path]:
    """Make a folder for one attempt, and remove it with everything in it."""
    folder = runs_dir / WORK / new_token()
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        remove_tree(folder)


def sweep_workplaces(runs_dir: Path) -> None:
    """Remove the workplaces of harness processes that are gone, and their folder if nobody works there."""
    for folder in (runs_dir / WORK).glob("*"):
        if is_orphaned(folder.name):
            remove_tree(folder)
    with suppress(OSError):
        (runs_dir / WORK).rmdir()
