"""The work folder: paths cannot leave it, except to read the data."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_CHARACTERS = 200_000
"""Characters of a file that are read; more would not fit in a prompt."""
BACKUPS = "backup"


class EnvError(Exception):
    """An action cannot be executed; the message tells the model why."""


@dataclass(frozen=True)
class WorkFolder:
    """The folder that the tools work in."""

    root: Path
    data: Path

    def path(self, name: str, *, write: bool = False) -> Path:
        """Return the path of a name, with links resolved; EnvError if it leaves the folder."""
        path = (self.root / name.strip()).resolve()
        roots = [self.root.resolve()] if write else [self.root.resolve(), self.data.resolve()]
        if not any(path.is_relative_to(root) for root in roots):
            raise EnvError(
                f"{name} is outside of the work folder" + (" or in the data, which are read-only." if write else ".")
            )
        return path

    def file(self, name: str) -> Path:
        """Return the path of a file; EnvError if it does not exist."""
        path = self.path(name)
        if not path.is_file():
            raise EnvError(f"there is no file {name}.")
        return path

    def read(self, name: str) -> str:
        """Return the beginning of a file as text."""
        with self.file(name).open(encoding="utf-8", errors="replace") as file:
            return file.read(MAX_CHARACTERS)

    def write(self, name: str, content: str, *, append: bool = False) -> None:
        """Write a file, or append to it; the old version is kept as a backup."""
        path = self.path(name, write=True)
        self.back_up(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a" if append else "w", encoding="utf-8") as file:
            file.write(content)

    def back_up(self, name: str) -> None:
        """Keep a copy of a file before it changes."""
        path = self.path(name, write=True)
        if path.is_file():
            target = self.root / BACKUPS / f"{name.strip().replace('/', '__')}_{time.time_ns()}"
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target)

    def undo(self, name: str) -> str:
        """Restore the newest backup of a file, and return its content."""
        path = self.path(name, write=True)
        copies = sorted((self.root / BACKUPS).glob(f"{name.strip().replace('/', '__')}_*"))
        if not copies:
            raise EnvError(f"there is no earlier version of {name}.")
        copies[-1].replace(path)
        return self.read(name)

    def copy(self, source: str, destination: str) -> str:
        target = self.path(destination, write=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        path = self.path(source)
        if path.is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(self.file(source), target)
        return f"{source} was copied to {destination}."

    def list(self, name: str) -> str:
        """List a folder as `ls -F` does, at most a thousand entries."""
        folder = self.path(name)
        if not folder.is_dir():
            raise EnvError(f"there is no folder {name}.")
        entries = sorted(folder.iterdir())
        lines = [entry.name + ("/" if entry.is_dir() else "") for entry in entries[:1000]]
        return "\n".join([*lines, f"... and {len(entries) - 1000} more"] if len(entries) > 1000 else lines)
