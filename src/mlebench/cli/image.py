from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlebench.cli.command import Command
from mlebench.cli.options import Json
from mlebench.cli.output import console, print_json
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.sandbox.engine import Engine

app = typer.Typer(help="Container images that jobs run in.", no_args_is_help=True)
EngineName = Annotated[str, typer.Option("--engine", help="docker or podman.")]
GiB = 1024**3


@app.callback()
def root() -> None:
    pass


@app.command("build", cls=Command)
def build_image(
    variant: Annotated[str, typer.Option(help="minimal, cpu or cuda: which packages go in.")] = "cpu",
    base: Annotated[str | None, typer.Option(help="Image to build on; by default a usual one from a registry.")] = None,
    agent: Annotated[
        str | None, typer.Option(help="Also build this agent's image on top: a name, or the folder of your own.")
    ] = None,
    from_rootfs: Annotated[
        Path | None, typer.Option(help="Build on the root file system in this folder; needs no registry.")
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

    An image is named by what went in, so the same command finds it again and builds nothing.

    Example: mlebench image build --variant minimal --bootstrap
    """
    import tempfile

    from mlebench.agents.image import make_recipe
    from mlebench.agents.registry import get_agent
    from mlebench.errors import EngineError
    from mlebench.images.build import SYSTEM_CA_BUNDLE, build
    from mlebench.images.recipe import Recipe
    from mlebench.images.rootfs import bootstrap as make_rootfs
    from mlebench.images.rootfs import import_folder

    if sum((base is not None, from_rootfs is not None, bootstrap)) > 1:
        raise UsageError("Say one of --base, --from-rootfs and --bootstrap.")
    if ca_bundle is not None and not ca_bundle.is_file():
        raise UsageError(f"There is no file {ca_bundle} with certificates.")
    chosen = get_agent(agent) if agent else None
    client = _engine(engine)
    out = console(stderr=True)
    images = []
    with tempfile.NamedTemporaryFile(prefix="mlebench-build-", suffix=".log", delete=False) as log:
        try:
            with out.status(f"Building with {client.name}; this may take some minutes."):
                if from_rootfs is not None:
                    base = import_folder(client, from_rootfs)
                elif bootstrap:
                    base = make_rootfs(client)
                options: dict[str, Any] = {"force": force, "ca_bundle": ca_bundle or SYSTEM_CA_BUNDLE, "log": log}
                images.append(build(client, Recipe.of_base(variant, base), **options))
                on_top = make_recipe(chosen, images[0][0].tag) if chosen else None
                if on_top is not None:
                    images.append(build(client, on_top, **options))
        except EngineError:
            out.print(f"The whole output is in {log.name}.", soft_wrap=True)
            raise
    Path(log.name).unlink()
    if json:
        print_json([{**image._asdict(), "built": built} for image, built in images])
        return
    for image, built in images:
        console().print(f"{'built' if built else 'there already'}: {image.tag} ({image.id})", soft_wrap=True)
    if chosen and len(images) == 1:
        out.print(f"The agent {chosen.id} brings neither Dockerfile nor requirements.txt: it runs in the base image.")


@app.command("list", cls=Command)
def list_images_of(engine: EngineName = "docker", json: Json = False) -> None:
    """List the images that mlebench built, the newest first.

    Example: mlebench image list
    """
    from mlebench.images.build import list_images

    images = list_images(_engine(engine))
    if json:
        print_json([image._asdict() for image in images])
        return
    for image in images:
        console().print(f"{image.tag}  {image.size / GiB:.1f} GiB  {image.created[:19]}", soft_wrap=True)


def _engine(name: str) -> Engine:
    from mlebench.errors import EngineError, UnknownNameError
    from mlebench.sandbox.engine import ENGINES, Engine

    if name not in ENGINES:
        raise UnknownNameError("container engine", name, ENGINES)
    engine = Engine(name)
    if obstacle := engine.probe():
        raise EngineError(obstacle)
    return engine
