"""What an agent runs on: an image in sandboxes that run images, a virtual environment in the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from mlebench.agents.environment import find_environment, install_environment
from mlebench.agents.registry import get_agent
from mlebench.errors import EnvironmentUnfitError
from mlebench.images.recipe import DOCKERFILE
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.container import ContainerSandbox

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.agents.declaration import Agent
    from mlebench.agents.environment import Environment


@dataclass(frozen=True)
class Installation:
    """What an agent runs on in a sandbox.

    Without an environment or an image of its own, an agent has what every job has.
    """

    environment: Environment | None = None
    image: str | None = None
    """Id of the image to run in."""
    is_new: bool = False
    """Whether this call installed it."""

    @property
    def python(self) -> Path | None:
        """The interpreter of the agent's environment."""
        return self.environment.executable if self.environment else None

    @property
    def digest(self) -> str | None:
        """SHA-256 of what is installed: the environment's packages, or the image's id."""
        return self.environment.digest if self.environment else self.image


def brings_image(agent: Agent) -> bool:
    """Return whether an agent names an image or has a Dockerfile."""
    return agent.declaration.image is not None or (agent.folder / DOCKERFILE).is_file()


def needs_installation(agent: Agent, sandbox: str) -> bool:
    """Return whether an agent brings packages that must be installed for a sandbox.

    Raises
    ------
    EnvironmentUnfitError
        The agent brings only an image, and the sandbox does not run images.
    """
    if isinstance(get_sandbox(sandbox), ContainerSandbox):
        return brings_image(agent) or agent.requirements is not None
    if brings_image(agent) and agent.requirements is None:
        raise EnvironmentUnfitError(
            f"The agent {agent.id} brings an image, and {sandbox} does not run images; use --sandbox docker or podman."
        )
    return agent.requirements is not None


def find_installation(agent: Agent, sandbox: str, *, gpu: bool = False) -> Installation | None:
    """Return what an agent runs on in a sandbox, or None if it is not installed yet.

    Parameters
    ----------
    agent : Agent
        The agent.
    sandbox : str
        Name of a sandbox.
    gpu : bool
        Whether the image must be one for GPUs.

    Raises
    ------
    EnvironmentUnfitError
        The agent brings only an image, and the sandbox does not run images.
    """
    if not needs_installation(agent, sandbox):
        return Installation()
    chosen = get_sandbox(sandbox)
    if isinstance(chosen, ContainerSandbox):
        from mlebench.agents.image import find_image

        image = find_image(chosen.engine, agent, chosen.find_image(gpu=gpu))
        return None if image is None else Installation(image=image)
    environment = find_environment(agent)
    return None if environment is None else Installation(environment)


def require_installation(agent: Agent, sandbox: str, *, gpu: bool = False) -> Installation:
    """Return what an agent runs on in a sandbox; the arguments are those of `find_installation`.

    Raises
    ------
    EnvironmentUnfitError
        The agent is not installed yet; the message has the command that installs it.
    """
    found = find_installation(agent, sandbox, gpu=gpu)
    if found is None:
        raise EnvironmentUnfitError(
            f"The packages of the agent {agent.id} are not installed for {sandbox}. "
            f"Run: mlebench agent install {agent.name} --sandbox {sandbox}"
        )
    return found


def install_agent(
    agent: Agent | Path | str,
    *,
    sandbox: str = "bubblewrap",
    variant: str = "minimal",
    python: Path | None = None,
    gpu: bool = False,
    force: bool = False,
    log: IO[bytes] | None = None,
) -> Installation:
    """Install the packages of an agent for a sandbox, once and outside of every run.

    Parameters
    ----------
    agent : Agent, Path or str
        The agent, its name, or the path of its folder.
    sandbox : str
        `docker` and `podman` run an agent in an image, the other sandboxes in a virtual environment.
    variant : {"minimal", "cpu", "cuda"}
        Packages of the base image that an environment also gets, for the code that the agent writes.
    python : Path, optional
        Interpreter to make the environment with. The default is the first on this machine that is new enough.
    gpu : bool
        Build the image on the base image for GPUs.
    force : bool
        Install again, even if the agent is installed.
    log : binary file, optional
        Receives the output of the installers.

    Returns
    -------
    Installation
        Where the packages are. It is empty for an agent that brings no packages.

    Raises
    ------
    UnknownNameError
        There is no such agent, sandbox or variant.
    EnvironmentUnfitError
        No interpreter is new enough, a package cannot be installed, or the sandbox does not work here.
    """
    agent = get_agent(agent)
    if not needs_installation(agent, sandbox):
        return Installation()
    chosen = get_sandbox(sandbox)
    if isinstance(chosen, ContainerSandbox):
        from mlebench.agents.image import ensure_image, find_image

        base = chosen.find_image(gpu=gpu)
        before = find_image(chosen.engine, agent, base)
        if before is not None and not force:
            return Installation(image=before)
        return Installation(image=ensure_image(chosen.engine, agent, base, force=force, log=log), is_new=True)
    environment, is_new = install_environment(agent, base=variant, python=python, force=force, log=log)
    return Installation(environment, is_new=is_new)


def ensure_installed(agent: Agent, sandbox: str, *, gpu: bool = False, log: IO[bytes] | None = None) -> Installation:
    """Return what an agent runs on in a sandbox; install it first if needed. See `install_agent`."""
    return find_installation(agent, sandbox, gpu=gpu) or install_agent(agent, sandbox=sandbox, gpu=gpu, log=log)
