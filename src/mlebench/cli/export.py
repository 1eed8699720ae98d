from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.options import Folders, Json, open_registry
from mlebench.cli.output import console, print_json
from mlebench.ground.wording import count

app = typer.Typer(help="Export the tasks in forms that other programs read.", no_args_is_help=True)


@app.callback()
def root() -> None:
    pass


@app.command("reference-tree", cls=Command)
def reference_tree(
    target: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; it must be empty, or not exist.")],
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Write a source tree for programs that read a checkout of the reference and call no package.

    It holds version v1 of all competitions except the embedded ones, each with the code that it needs.

    Example: mlebench export reference-tree mle-bench
    """
    from rich.progress import Progress

    import mlebench

    out = console(stderr=True)
    with Progress(console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("competitions", total=None)
        registry = open_registry(None, folder)
        ids = mlebench.export_reference_tree(target, registry=registry, progress=lambda name: bar.advance(task))
    if json:
        print_json({"folder": str(target), "competitions": ids})
    else:
        typer.echo(f"{target}: {count(ids, 'competition')}.")
