"""Find agents: bundled ones, those of plugin packages, and those in folders of the user."""

from __future__ import annotations

from pathlib import Path

from mlebench.agents.declaration import DECLARATION_FILE, Agent
from mlebench.errors import UnknownNameError

BUNDLED = Path(__file__).resolve().parent
ENTRY_POINT_GROUP = "mlebench.agents"
"""Each entry point of this group names a package that is an agent's folder."""


def agent_folders() -> dict[str, Path]:
    """Return the folders of all agents that have a name, by name."""
    from importlib.metadata import entry_points

    bundled = (path.parent for path in sorted(BUNDLED.glob(f"*/{DECLARATION_FILE}")))
    folders = {folder.name.replace("_", "-"): folder for folder in bundled}
    for entry_point in entry_points(group=ENTRY_POINT_GROUP):
        folders.setdefault(entry_point.name, Path(entry_point.load().__path__[0]))
    return folders


def agent_names() -> list[str]:
    """Return the names of all agents, and of their variants as `NAME/VARIANT`."""
    names = []
    for name, folder in agent_folders().items():
        names += [name, *(f"{name}/{variant}" for variant in Agent.read(folder).declaration.variants)]
    return names


def list_agents() -> list[Agent]:
    """Return all agents that have a name, each followed by its variants."""
    return [get_agent(name) for name in agent_names()]


def get_agent(agent: Agent | Path | str) -> Agent:
    """Return the agent that an argument names; an `Agent` is returned unchanged.

    Parameters
    ----------
    agent : Agent, Path or str
        `NAME` or `NAME/VARIANT` of an agent that has a name; `PATH` or `PATH/VARIANT` of an agent in a folder.

    Raises
    ------
    UnknownNameError
        There is no such agent or variant; the message suggests the nearest name.
    DeclarationError
        The folder's `agent.yaml` is missing or invalid.

    Examples
    --------
    >>> get_agent("aide/smoke").id
    'aide.smoke'
    """
    if isinstance(agent, Agent):
        return agent
    name = str(agent)
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
