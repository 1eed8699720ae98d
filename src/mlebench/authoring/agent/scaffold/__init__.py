"""A new agent's folder, which runs as it stands: the files to begin with, and the way to lay them out."""

from __future__ import annotations

import re
from pathlib import Path

from mlebench.errors import UsageError
from mlebench.ground.files import write_atomically

_FILES = Path(__file__).parent / "files"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
PLACEHOLDER = "NAME"


def make_agent(name: str, parent: Path) -> Path:
    """Make the folder of a new agent and return it; UsageError for a name that is none, or a folder that is there."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"An agent's name holds lower-case letters, digits and hyphens only, not {name!r}.")
    folder = parent / name
    if folder.exists():
        raise UsageError(f"There is a {folder} already; choose another name, or another place with --in.")
    folder.mkdir(parents=True)
    for source in sorted(_FILES.iterdir()):
        if source.is_file():
            write_atomically(folder / source.name, source.read_text(encoding="utf-8").replace(PLACEHOLDER, name))
    return folder
