"""Builds the images that jobs run in: the base image, and that of an agent on top."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from mlebench.agents.image import make_recipe
from mlebench.agents.registry import get_agent
from mlebench.errors import UsageError
from mlebench.images.build import SYSTEM_CA_BUNDLE, BuiltImage, build_recipe
from mlebench.images.recipe import Recipe
from mlebench.images.rootfs import bootstrap_image, import_rootfs
from mlebench.sandbox.engine import Engine, open_engine

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent


def build_image(
    variant: str = "cpu",
    *,
    engine: str | Engine = "docker",
    base: str | None = None,
    from_rootfs: Path | str | None = None,
    bootstrap: bool = False,
    agent: Agent | Path | str | None = None,
    ca_bundle: Path | str | None = None,
    force: bool = False,
    log: IO[bytes] | None = None,
) -> list[BuiltImage]:
    """Build the base image that jobs run in with the sandboxes `docker` and `podman`, and the image of an agent.

    An image is named after its inputs. If the engine has an image of the same inputs, nothing is built.

    Parameters
    ----------
    variant : str
        Which packages the base image has: `minimal`, `cpu` or `cuda`.
    engine : str or Engine
        `docker` or `podman`.
    base : str, optional
        Image to build on, by name or id. By default an official image of Python or CUDA from a registry.
    from_rootfs : Path or str, optional
        Build on the root file system in this folder, without a registry.
    bootstrap : bool
        Build on a small Debian made from packages, without a registry; needs root.
    agent : Agent, Path or str, optional
        Also build the image of this agent: its name, or the folder of your own.
    ca_bundle : Path or str, optional
        File with the certificates to trust while packages are installed. By default the system's.
    force : bool
        Build even if there is an image of the same inputs.
    log : binary file, optional
        Receives the output of the builds.

    Returns
    -------
    list of BuiltImage
        The base image, then that of the agent, unless the agent has neither a Dockerfile nor requirements.

    Raises
    ------
    UsageError
        If more than one of `base`, `from_rootfs` and `bootstrap` is given, or the file `ca_bundle` does not exist.
    UnknownNameError
        If there is no such variant, engine or agent.
    EngineError
        If the engine does not answer, or a build fails.
    EnvironmentUnfitError
        If the folder is not a root file system, or this machine cannot bootstrap one.
    """
    if sum((base is not None, from_rootfs is not None, bootstrap)) > 1:
        raise UsageError("--base, --from-rootfs and --bootstrap exclude each other. Use one of them.")
    certificates = SYSTEM_CA_BUNDLE if ca_bundle is None else Path(ca_bundle)
    if ca_bundle is not None and not certificates.is_file():
        raise UsageError(f"There is no file {ca_bundle} with certificates.")
    chosen = None if agent is None else get_agent(agent)
    client = open_engine(engine) if isinstance(engine, str) else engine
    if from_rootfs is not None:
        base = import_rootfs(client, Path(from_rootfs))
    elif bootstrap:
        base = bootstrap_image(client)
    built = [build_recipe(client, Recipe.for_base(variant, base), force=force, ca_bundle=certificates, log=log)]
    recipe = make_recipe(chosen, built[0].image.tag) if chosen else None
    if recipe is not None:
        built.append(build_recipe(client, recipe, force=force, ca_bundle=certificates, log=log))
    return built
