from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.checksums import checksums
from mlebench.cli.command import Command
from mlebench.cli.options import CompetitionIds, Folders, Json, open_registry
from mlebench.cli.output import console, print_json
from mlebench.cli.scan import scan
from mlebench.errors import UsageError
from mlebench.ground.wording import join_names

app = typer.Typer(help="Tools for authors of competitions.", no_args_is_help=True)

CompetitionId = Annotated[str, typer.Argument(help="The competition's id.")]


@app.callback()
def root() -> None:
    pass


@app.command("check-task", cls=Command)
def check_task(folder: Annotated[Path, typer.Argument(help="A competition's folder.")], json: Json = False) -> None:
    """Check your own competition for what must hold for every competition; exit code 1 if something is wrong.

    Its data are prepared in a temporary folder: embedded data, or those of its rehearsal.zip.

    Example: mlebench dev check-task my-task
    """
    import mlebench

    problems = mlebench.check_task(folder)
    if json:
        print_json({"folder": str(folder), "problems": problems})
    else:
        typer.echo("\n".join(problems) or f"{folder}: no problems found.")
    raise typer.Exit(1 if problems else 0)


app.command("scan", cls=Command)(scan)
app.command("checksums", cls=Command)(checksums)


@app.command("leaderboard", cls=Command)
def leaderboard(competition_id: CompetitionId, folder: Folders = None, json: Json = False) -> None:
    """Download a leaderboard from Kaggle and compare it with the bundled one; exit code 1 if they differ.

    Example: mlebench dev leaderboard leaf-classification
    """
    import mlebench

    found = mlebench.compare_leaderboard(open_registry(None, folder).get_competition(competition_id))
    if json:
        print_json(found.model_dump(mode="json"))
    else:
        typer.echo(found.summary)
        for row in found.first:
            bundled, kaggle = ("nothing" if score is None else f"{score:g}" for score in (row.bundled, row.kaggle))
            typer.echo(f"  rank {row.rank:,}: bundled {bundled}, Kaggle {kaggle}")
    raise typer.Exit(0 if found.equal else 1)


@app.command("kernels", cls=Command)
def kernels(
    competition_id: CompetitionId,
    output: Annotated[
        Path | None, typer.Option(help="Folder for the sources; by default mle-bench/kernels/ID in the cache folder.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Download again, also what Kaggle did not provide before.")
    ] = False,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Download the popular public notebooks of a competition from Kaggle, to compare agents' code with.

    Example: mlebench dev kernels leaf-classification
    """
    from rich.progress import Progress

    import mlebench

    competition = open_registry(None, folder).get_competition(competition_id)
    out = console(stderr=True)
    with Progress(console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task(f"notebooks of {competition.id}", total=None)
        found = mlebench.download_kernels(competition, output, again=again, progress=lambda name: bar.advance(task))
    if json:
        paths = {name: str(path) for name, path in found.notebooks.items()}
        facts = {"competition": competition.id, "folder": str(found.folder)}
        print_json({**facts, "notebooks": paths, "missing": found.missing})
        return
    total = len(found.notebooks | found.missing)
    typer.echo(f"{len(found.notebooks)} of {total} notebooks of {competition.id} are in {found.folder}.")
    if found.missing:
        typer.echo(f"Kaggle no longer provides {join_names(sorted(found.missing), limit=5)}.")


@app.command("download-leaderboard", cls=Command)
def download_leaderboard(
    competition_id: CompetitionIds = None,
    all_: Annotated[bool, typer.Option("--all", help="All competitions.")] = False,
    force: Annotated[bool, typer.Option("--force", help="No effect: leaderboards are part of mlebench.")] = False,
) -> None:
    """Print the paths of bundled leaderboards, which need no download.

    Example: mlebench dev download-leaderboard -c spaceship-titanic
    """
    import mlebench

    registry = open_registry(None, None)
    if bool(competition_id) == all_:
        raise UsageError("Name the leaderboards in one way: by id (-c) or with --all.")
    for name in competition_id or registry.list_competition_ids():
        typer.echo(mlebench.ensure_leaderboard_exists(registry.get_competition(name), force=force))
