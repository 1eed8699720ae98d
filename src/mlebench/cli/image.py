from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.options import Json
from mlebench.cli.output import console, print_json

app = typer.Typer(help="Container images that jobs run in.", no_args_is_help=True)
EngineName = Annotated[str, typer.Option("--engine", help="docker or podman.")]


@app.callback()
def root() -> None:
    pass


@app.command("build", cls=Command)
def build_image(
    variant: Annotated[str, typer.Option(help="Packages of the image: minimal, cpu or cuda.")] = "cpu",
    base: Annotated[
        str | None, typer.Option(help="Image to build on; by default one of Python or CUDA from a registry.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(help="Also build the image of this agent: a name, or the folder of your own.")
    ] = None,
    from_rootfs: Annotated[
        Path | None, typer.Option(help="Build on the root file system in this folder, without a registry.")
    ] = None,
    bootstrap: Annotated[
        bool, typer.Option("--bootstrap", help="Build on a small Debian made from packages; needs root, no registry.")
    ] = False,
    ca_bundle: Annotated[
        Path | None, typer.Option(help="Certificates to trust while packages are installed; by default the system's.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Build even if there is an image of the same inputs.")] = False,
    engine: EngineName = "docker",
    json: Json = False,
) -> None:
    """Build the image that jobs run in with --sandbox docker or podman.

    An image is named after its inputs: if there is an image of the same inputs, nothing is built.

    Example: mlebench image build --variant minimal --bootstrap
    """
    import io

    import mlebench
    from mlebench.errors import EngineError

    out = console(stderr=True)
    log = io.BytesIO()
    try:
        with out.status(f"Building with {engine}; this may take some minutes."):
            built = mlebench.build_image(
                variant,
                engine=engine,
                base=base,
                from_rootfs=from_rootfs,
                bootstrap=bootstrap,
                agent=agent,
                ca_bundle=ca_bundle,
                force=force,
                log=log,
            )
    except EngineError:
        if content := log.getvalue():
            out.print(f"The output of the build is in {_keep(content)}.", soft_wrap=True)
        raise
    if json:
        print_json([{**dataclasses.asdict(result.image), "built": result.is_new} for result in built])
        return
    for result in built:
        state = "built" if result.is_new else "there already"
        console().print(f"{state}: {result.image.tag} ({result.image.id})", soft_wrap=True)
    if agent and len(built) == 1:
        out.print(f"The agent {agent} has neither a Dockerfile nor requirements.txt: it runs in the base image.")


@app.command("list", cls=Command)
def list_images(engine: EngineName = "docker", json: Json = False) -> None:
    """List the images that mlebench has built, the newest first.

    Example: mlebench image list
    """
    import mlebench
    from mlebench.ground.wording import format_binary_size

    images = mlebench.list_images(engine)
    if json:
        print_json([dataclasses.asdict(image) for image in images])
        return
    for image in images:
        size = format_binary_size(image.size)
        console().print(f"{image.tag}  {size}  {image.created[:19]}", soft_wrap=True)


def _keep(content: bytes) -> str:
    """Write the output of a failed build to a file and return its path."""
    import tempfile

    with tempfile.NamedTemporaryFile(prefix="mlebench-build-", suffix=".log", delete=False) as file:
        file.write(content)
    return file.name
