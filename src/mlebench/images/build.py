"""Builds the image of a recipe."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from mlebench.errors import EngineError
from mlebench.images.image import Image, describe_image, require_image

if TYPE_CHECKING:
    from mlebench.images.recipe import Recipe
    from mlebench.sandbox.engine import Engine

SYSTEM_CA_BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")
"""For networks with their own certificate authority. The installer of packages gets it as a secret of the build, so it
does not become part of the image."""


@dataclass(frozen=True, slots=True)
class BuiltImage:
    """The result of a build."""

    image: Image
    is_new: bool
    """Whether it was built now; otherwise an image of the same inputs was there."""


def build_recipe(
    engine: Engine,
    recipe: Recipe,
    *,
    force: bool = False,
    ca_bundle: Path | None = SYSTEM_CA_BUNDLE,
    log: IO[bytes] | None = None,
) -> BuiltImage:
    """Build the image of a recipe, unless the engine has an image of the same inputs.

    Parameters
    ----------
    engine : Engine
        Docker or Podman.
    recipe : Recipe
        The inputs.
    force : bool
        Build even if there is an image of the same inputs.
    ca_bundle : Path, optional
        Certificates to trust while packages are installed. A file that does not exist is ignored.
    log : binary file, optional
        Receives the output of the build.

    Returns
    -------
    BuiltImage
        The image, which also gets the recipe's `latest_tag`.

    Raises
    ------
    EngineError
        If the base image cannot be pulled or the build fails.
    """
    base_id = require_image(engine, recipe.base)
    digest = recipe.digest(base_id)
    tag = recipe.tag(digest)
    is_new = force or engine.inspect_image(tag) is None
    if is_new:
        with tempfile.TemporaryDirectory(prefix="mlebench-build-") as folder:
            recipe.copy_files(Path(folder))
            engine.build(
                Path(folder),
                tag=tag,
                labels=recipe.labels(digest, base_id),
                build_args={"BASE_IMAGE": _find_name(engine, recipe.base), **dict(recipe.build_args)},
                ca_bundle=ca_bundle if ca_bundle and ca_bundle.is_file() else None,
                log=log,
            )
    engine.call("tag", tag, recipe.latest_tag)
    found = engine.inspect_image(tag)
    if found is None:
        raise EngineError(f"{engine.name} reports that it built {tag}, but has no such image.")
    return BuiltImage(describe_image(found, tag), is_new)


def _find_name(engine: Engine, base: str) -> str:
    """Return a name of the base image. The engine would look for an id in a registry, so an id gets a name here."""
    if not base.startswith("sha256:"):
        return base
    found = engine.inspect_image(base)
    if found and found.tags:
        return found.tags[0]
    name = f"mlebench/unnamed:{base.removeprefix('sha256:')[:12]}"
    engine.call("tag", base, name)
    return name
