"""The container image that an agent runs in: its own, or the base image."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

from mlebench.images.build import SYSTEM_CA_BUNDLE, build_recipe
from mlebench.images.image import require_image
from mlebench.images.recipe import AGENT_DOCKERFILE, DOCKERFILE, REQUIREMENTS, Recipe

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent
    from mlebench.sandbox.engine import Engine


def make_recipe(agent: Agent, base: str) -> Recipe | None:
    """Return the recipe of an agent's image, from its Dockerfile or its requirements; None if it has neither."""
    files: list[tuple[str, Path]] = []
    build_args: tuple[tuple[str, str], ...] = ()
    if (agent.folder / DOCKERFILE).is_file():
        for folder, _, names in os.walk(agent.folder):
            paths = [Path(folder) / name for name in names]
            files += [(path.relative_to(agent.folder).as_posix(), path) for path in paths if path.is_file()]
        files = [(name, path) for name, path in files if "__pycache__" not in name]
    elif agent.requirements:
        files = [(DOCKERFILE, AGENT_DOCKERFILE), (REQUIREMENTS, agent.requirements)]
        build_args = (
            ("PIP_OPTIONS", "--no-deps" if agent.declaration.locked else ""),
            ("PYTHON_MINIMUM", agent.declaration.python or "3"),
        )
    else:
        return None
    return Recipe(f"mlebench/agent-{agent.family}", agent.family, base, tuple(files), build_args)


def ensure_image(
    engine: Engine,
    agent: Agent,
    base: str,
    *,
    force: bool = False,
    ca_bundle: Path | None = SYSTEM_CA_BUNDLE,
    log: IO[bytes] | None = None,
) -> str:
    """Return the id of the image that an agent runs in; build or pull it first if needed.

    Parameters
    ----------
    engine : Engine
        Docker or Podman.
    agent : Agent
        An agent with its own image, a Dockerfile, requirements, or none of these.
    base : str
        Name or id of the image to build on, which is also the answer for an agent that brings nothing.
    force : bool
        Build even if there is an image of the same inputs.
    ca_bundle : Path, optional
        Certificates to trust while packages are installed.
    log : binary file, optional
        Receives the output of the build.
    """
    if agent.declaration.image:
        return require_image(engine, agent.declaration.image)
    recipe = make_recipe(agent, base)
    if recipe is None:
        return require_image(engine, base)
    return build_recipe(engine, recipe, force=force, ca_bundle=ca_bundle, log=log).image.id


def find_image(engine: Engine, agent: Agent, base: str) -> str | None:
    """Return the id of the image that an agent runs in, or None if it is not on this machine."""
    recipe = None if agent.declaration.image else make_recipe(agent, base)
    name = agent.declaration.image or base
    if recipe is not None:
        name = recipe.tag(recipe.digest(require_image(engine, base)))
    found = engine.inspect_image(name)
    return None if found is None else found.id
