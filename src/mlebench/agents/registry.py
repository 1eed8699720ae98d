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

    built_in = (path.parent for path in sorted(BUILT_IN.glob(f"*/{DECLARATION_FILE}")))
    folders = {folder.name.replace("_", "-"): folder for folder in built_in}
    for entry_point in entry_points(group=ENTRY_POINT_GROUP):
        folders.setdefault(entry_point.name, Path(entry_point.load().__path__[0]))
    return folders


def agent_names() -> list[str]:
    """Return what can be run by name: agents, and their variants as `NAME/VARIANT`."""
    names = []
    for name, folder in agent_folders().items():
        names += [name, *(f"{name}/{variant}" for variant in Agent.read(folder).declaration.variants)]
    return names


def get_agent(name: str) -> Agent:
    """Return an agent by name, or from the folder at a path.

    `NAME/VARIANT` is a variant of an agent that has a name, `PATH/VARIANT` one of an agent in a folder.
    """
    path = Path(name)
    if (path / DECLARATION_FILE).is_file():
        return Agent.read(path)
    folders = agent_folders()
    family, _, variant = name.partition("/")
    if family in folders:
        return Agent.read(folders[family], variant or None)
    if (path.parent / DECLARATION_FILE).is_file() and "/" in name and not path.exists():
        return Agent.read(path.parent, path.name)
    if path.exists() or name.startswith((".", "/", "~")):
        return Agent.read(path)
    raise UnknownNameError("agent", name, agent_names())
