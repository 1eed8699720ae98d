"""The image that an agent runs in: its own, or the base as it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.images.build import build, image_id, require_image
from mlebench.images.recipe import AGENT_DOCKERFILE, DOCKERFILE, REQUIREMENTS, Recipe

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent
    from mlebench.sandbox.engine import Engine


def recipe_of(agent: Agent, base: str) -> Recipe | None:
    """Return the recipe of an agent's image: its Dockerfile, or its requirements; None if it has neither."""
    files: list[tuple[str, Path]] = []
    settings: tuple[tuple[str, str], ...] = ()
    if (agent.folder / DOCKERFILE).is_file():
        for folder, _, names in os.walk(agent.folder):
            paths = [Path(folder) / name for name in names]
            files += [(path.relative_to(agent.folder).as_posix(), path) for path in paths if path.is_file()]
        files = [(name, path) for name, path in files if "__pycache__" not in name]
    elif agent.requirements:
        files = [(DOCKERFILE, AGENT_DOCKERFILE), (REQUIREMENTS, agent.requirements)]
        settings = (
            ("PIP_OPTIONS", "--no-deps" if agent.declaration.locked else ""),
            ("PYTHON_MINIMUM", agent.declaration.python or "3"),
        )
    else:
        return None
    return Recipe(f"mlebench/agent-{agent.family}", agent.family, base, tuple(files), settings)


def image_for(engine: Engine, agent: Agent, base: str, **options: Any) -> str:
    """Return the id of the image that an agent runs in, built if need be: its own, or the base as it is."""
    if agent.declaration.image:
        return require_image(engine, agent.declaration.image)
    recipe = recipe_of(agent, base)
    if recipe is None:
        return require_image(engine, base)
    return build(engine, recipe, **options)[0].id


def find_image_for(engine: Engine, agent: Agent, base: str) -> str | None:
    """Return the id of the image that an agent runs in, or None if it has yet to be fetched or built."""
    recipe = None if agent.declaration.image else recipe_of(agent, base)
    name = agent.declaration.image or base
    if recipe is not None:
        name = recipe.tag(recipe.digest(require_image(engine, base)))
    found = engine.inspect_image(name)
    return None if found is None else image_id(found)
