"""Write the folder of a new agent, which works from the start."""

from __future__ import annotations

import re
from pathlib import Path

from mlebench.errors import UsageError
from mlebench.ground.files import write_atomically

_TEMPLATE = Path(__file__).parent / "template"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_PLACEHOLDER = "NAME"


def make_agent(name: str, parent: Path = Path()) -> Path:
    """Write the folder of a new agent and return its path.

    Parameters
    ----------
    name : str
        The agent's id and the folder's name: lower-case letters, digits and hyphens.
    parent : Path
        The folder to write it in; by default the current one.

    Raises
    ------
    UsageError
        The name is not allowed, or the folder exists.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as parent:
    ...     sorted(path.name for path in make_agent("my-agent", Path(parent)).iterdir())
    ['README.md', 'agent.yaml', 'rehearsal.yaml', 'requirements.txt', 'start.py']
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"The name {name!r} is not allowed: use lower-case letters, digits and hyphens.")
    folder = Path(parent) / name
    if folder.exists():
        raise UsageError(f"{folder} exists already. Choose another name, or another place with --in.")
    folder.mkdir(parents=True)
    for source in sorted(_TEMPLATE.iterdir()):
        if source.is_file():
            write_atomically(folder / source.name, source.read_text(encoding="utf-8").replace(_PLACEHOLDER, name))
    return folder
