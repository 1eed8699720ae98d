"""Where an agent works on this machine: a folder whose path reveals nothing.

The kernel shows a sandbox the host paths of its mounts, so these must not contain competition, agent or seed. Short
paths also keep Unix sockets within the kernel's limit of length.
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
"""Folder beside the groups with the workplaces of running agents."""


@contextmanager
def workplace(runs_dir: Path) -> Iterator[Path]:
    """Create a folder for one attempt, and remove it with its content afterwards."""
    folder = runs_dir / WORK / new_token()
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        remove_tree(folder)


def sweep_workplaces(runs_dir: Path) -> None:
    """Remove the workplaces of harness processes that have ended, and their folder if it is empty."""
    for folder in (runs_dir / WORK).glob("*"):
        if is_orphaned(folder.name):
            remove_tree(folder)
    with suppress(OSError):
        (runs_dir / WORK).rmdir()
