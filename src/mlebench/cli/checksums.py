from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Folders, Json, open_registry
from mlebench.cli.output import print_json


def checksums(
    task: Annotated[list[str], typer.Argument(help="Competitions with a version, such as leaf-classification@v2.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder with a folder for each task; by default beside its declaration.")
    ] = None,
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Write the checksums of prepared real data; `mlebench prepare` verifies data against them.

    Rehearsal data are refused.

    Example: mlebench dev checksums leaf-classification@v2 --out checksums
    """
    import mlebench

    registry = open_registry(data_dir, folder)
    written = {}
    for label in task:
        competition = registry.get_competition(label)
        path = mlebench.record_checksums(competition, out / competition.id if out else None)
        written[competition.label] = str(path)
        if not json:
            typer.echo(f"The checksums of {competition.label} are in {path}.")
    if json:
        print_json(written)
