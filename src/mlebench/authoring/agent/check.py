"""Check an agent: its folder first, then a rehearsal."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.agents.installation import brings_image, ensure_installed
from mlebench.agents.registry import get_agent
from mlebench.authoring.agent.findings import check_folder, check_rehearsal
from mlebench.authoring.agent.rehearsal import COMPETITION, rehearse
from mlebench.errors import SandboxUnavailableError
from mlebench.ground.wording import parse_duration
from mlebench.sandbox import find_isolating_sandbox, get_sandbox
from mlebench.sandbox.limits import GiB, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.agents.declaration import Agent
    from mlebench.authoring.agent.findings import Finding
    from mlebench.authoring.agent.rehearsal import Rehearsal


@dataclass(frozen=True)
class AgentCheck:
    """The result of checking an agent."""

    agent: Agent
    findings: tuple[Finding, ...]
    rehearsal: Rehearsal | None
    """None if the folder alone shows that the agent cannot run. Its folder is kept only where the check fails."""

    @property
    def passed(self) -> bool:
        """Whether no finding would spoil a run."""
        return not any(finding.fatal for finding in self.findings)


def check_agent(
    agent: Agent | Path | str,
    *,
    time_limit: str | float = "60s",
    memory: float = 2.0,
    sandbox: str = "auto",
    data_dir: Path | None = None,
    progress: Callable[[str], object] = lambda message: None,
) -> AgentCheck:
    """Check an agent's folder and rehearse the agent: one short run of a demo competition with a scripted model.

    Parameters
    ----------
    agent : Agent, Path or str
        The agent, its name, or the path of its folder.
    time_limit : str or float
        Wall time of the rehearsal, such as `90s` or `5m`, or in seconds.
    memory : float
        Memory limit, in GiB.
    sandbox : str
        Name of a sandbox; `auto` is the safest that works here.
    data_dir : Path, optional
        Folder with the competitions' data.
    progress : callable, optional
        Called with a sentence when the rehearsal starts.

    Returns
    -------
    AgentCheck
        The findings, and the rehearsal.

    Raises
    ------
    UnknownNameError
        There is no such agent or sandbox.
    EnvironmentUnfitError
        The sandbox does not work here, or the agent's packages cannot be installed.
    """
    from mlebench.runs.removal import remove_tree
    from mlebench.tasks.registry import DEFAULT_DATA_DIR, Registry

    agent = get_agent(agent)
    if found := check_folder(agent):
        return AgentCheck(agent, tuple(found), None)
    chosen = _safest_sandbox(agent) if sandbox == "auto" else sandbox
    limits = Limits(seconds=parse_duration(time_limit), grace=3, cpus=1, memory=int(memory * GiB), disk=GiB)
    progress(f"Rehearsing {agent.id} on {COMPETITION} in {chosen}.")
    ensure_installed(agent, chosen)
    folder = Path(tempfile.mkdtemp(prefix="mlebench-check-"))
    keep = False
    try:
        rehearsal = rehearse(agent, folder, Registry(data_dir or DEFAULT_DATA_DIR), sandbox=chosen, limits=limits)
        check = AgentCheck(agent, tuple(check_rehearsal(rehearsal)), rehearsal)
        keep = not check.passed
    finally:
        if not keep:
            remove_tree(folder)
    return check


def _safest_sandbox(agent: Agent) -> str:
    """Return the name of the safest sandbox that works here; an agent that brings an image needs a container engine."""
    if not brings_image(agent):
        return find_isolating_sandbox()
    for name in ("docker", "podman"):
        if get_sandbox(name).probe() is None:
            return name
    raise SandboxUnavailableError(
        f"The agent {agent.id} brings an image, and neither docker nor podman works here. Run: mlebench doctor"
    )
