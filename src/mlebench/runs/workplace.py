"""Where an agent works on this machine: a folder whose path reveals nothing.

The kernel shows a sandbox the host paths of its mounts, so these must not contain competition, agent or seed. Short
paths also keep Unix sockets within the kernel's limit of length.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mlebench.runs.removal import remove_tree
from mlebench.sandbox.tokens import is_orphaned, new_token
from mlebench.sandbox.volume import mounted_volume, unmount_below

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME = "home"
"""The subfolder of a workplace for the folders that the agent writes to."""
WORK = ".work"
"""Folder beside the groups with the workplaces of running agents."""


@contextmanager
def workplace(runs_dir: Path, disk: int | None = None) -> Iterator[Path]:
    """Create a folder for one attempt, and remove it with its content afterwards.

    Parameters
    ----------
    runs_dir : Path
        Folder of the groups.
    disk : int, optional
        Bytes that the agent may write. Where that is possible, the kernel keeps the subfolder `home` within them.
    """
    folder = runs_dir / WORK / new_token()
    folder.mkdir(parents=True)
    try:
        with mounted_volume(folder / HOME, disk):
            yield folder
    finally:
        remove_tree(folder)


def sweep_workplaces(runs_dir: Path) -> None:
    """Remove the workplaces of harness processes that have ended, and their folder if it is empty."""
    for folder in (runs_dir / WORK).glob("*"):
        if is_orphaned(folder.name):
            unmount_below(folder)
            remove_tree(folder)
    with suppress(OSError):
        (runs_dir / WORK).rmdir()
