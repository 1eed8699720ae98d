"""Where agents come from: built in, from plugin packages, or from a folder that the user names."""

from __future__ import annotations

from pathlib import Path

from mlebench.agents.declaration import DECLARATION_FILE, Agent
from mlebench.errors import UnknownNameError

BUILT_IN = Path(__file__).resolve().parent
ENTRY_POINT_GROUP = "mlebench.agents"
"""Entry points of this group name packages that are agents' folders."""


def agent_folders() -> dict[str, Path]:
    """Return the folders of all agents that have a name, by name."""
    from importlib.metadata import entry_points

    folders = {path.parent.name: path.parent for path in sorted(BUILT_IN.glob(f"*/{DECLARATION_FILE}"))}
    for entry_point in entry_points(group=ENTRY_POINT_GROUP):
        folders.setdefault(entry_point.name, Path(entry_point.load().__path__[0]))
    return folders


def get_agent(name: str) -> Agent:
    """Return an agent by name, or from the folder at a path (anything with a `/` in it, or an existing folder)."""
    if "/" in name or (Path(name) / DECLARATION_FILE).is_file():
        return Agent.read(Path(name))
    folders = agent_folders()
    if name not in folders:
        raise UnknownNameError("agent", name, folders)
    return Agent.read(folders[name])
