"""What an agent runs on: an image in sandboxes that have images, an environment of its own in the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from mlebench.agents import environment
from mlebench.errors import EnvironmentUnfitError
from mlebench.images.recipe import DOCKERFILE
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.container import ContainerSandbox

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.agents.declaration import Agent


@dataclass(frozen=True)
class Equipment:
    """An agent's packages, found before its runs start. Without any it has what every job has."""

    python: Path | None = None
    """Interpreter of the agent's own environment."""
    image: str | None = None
    """Id of the image to run in."""
    digest: str | None = None
    """SHA-256 of what is installed: of the environment's packages, or the image's id."""


def brings_image(agent: Agent) -> bool:
    """Tell whether an agent names an image or has the Dockerfile of one, beside what `requirements.txt` may say."""
    return agent.declaration.image is not None or (agent.folder / DOCKERFILE).is_file()


def is_needed(agent: Agent, sandbox: str) -> bool:
    """Tell whether an agent brings packages that have to be installed for a sandbox.

    Raises:
        EnvironmentUnfitError: it brings an image and nothing else, and the sandbox runs none.
    """
    if isinstance(get_sandbox(sandbox), ContainerSandbox):
        return brings_image(agent) or agent.requirements is not None
    if brings_image(agent) and agent.requirements is None:
        raise EnvironmentUnfitError(
            f"The agent {agent.id} brings an image, and {sandbox} runs none; use --sandbox docker or podman."
        )
    return agent.requirements is not None


def find(agent: Agent, sandbox: str, *, gpu: bool = False) -> Equipment | None:
    """Return what an agent runs on in a sandbox, or None if that has yet to be installed."""
    if not is_needed(agent, sandbox):
        return Equipment()
    place = get_sandbox(sandbox)
    if isinstance(place, ContainerSandbox):
        from mlebench.agents.image import find_image_for

        image = find_image_for(place.engine, agent, place.find_image(gpu=gpu))
        return None if image is None else Equipment(image=image, digest=image)
    made = environment.installed(agent)
    return None if made is None else Equipment(python=made.executable, digest=made.digest)


def require(agent: Agent, sandbox: str, *, gpu: bool = False) -> Equipment:
    """Return what an agent runs on in a sandbox; EnvironmentUnfitError if that has yet to be installed."""
    found = find(agent, sandbox, gpu=gpu)
    if found is None:
        raise EnvironmentUnfitError(
            f"The packages of the agent {agent.id} are not installed for {sandbox}; install them with: "
            f"mlebench agent install {agent.name} --sandbox {sandbox}"
        )
    return found


def ensure(agent: Agent, sandbox: str, *, gpu: bool = False, log: IO[bytes] | None = None) -> Equipment:
    """Return what an agent runs on in a sandbox, installed if need be."""
    if (found := find(agent, sandbox, gpu=gpu)) is not None:
        return found
    place = get_sandbox(sandbox)
    if isinstance(place, ContainerSandbox):
        from mlebench.agents.image import image_for

        image_for(place.engine, agent, place.find_image(gpu=gpu), log=log)
    else:
        environment.install(agent, log=log)
    return require(agent, sandbox, gpu=gpu)
