from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.options import CompetitionIds, Folders, Json, open_registry
from mlebench.cli.output import console, print_json
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition

logger = logging.getLogger(__name__)

app = typer.Typer(help="For those who build competitions.", no_args_is_help=True)

CompetitionId = Annotated[str, typer.Argument(help="The competition's id.")]


@app.callback()
def root() -> None:
    pass


@app.command("check-task", cls=Command)
def check_task(
    folder: Annotated[Path, typer.Argument(help="A competition's folder of your own.")], json: Json = False
) -> None:
    """Try what must hold for every competition on a folder of your own; exit code 1 if something does not.

    Its data are prepared in a temporary folder: embedded ones, or those of its rehearsal.zip.

    Example: mlebench dev check-task my-task
    """
    import mlebench

    problems = mlebench.check_task(folder)
    if json:
        print_json({"folder": str(folder), "problems": problems})
    else:
        typer.echo("\n".join(problems) or f"{folder}: nothing is wrong.")
    raise typer.Exit(1 if problems else 0)


@app.command("leaderboard", cls=Command)
def leaderboard(competition_id: CompetitionId, folder: Folders = None, json: Json = False) -> None:
    """Download a leaderboard from Kaggle and compare it with the bundled one; exit code 1 if they differ.

    Example: mlebench dev leaderboard leaf-classification
    """
    from mlebench.kaggle import KaggleClient
    from mlebench.kaggle.leaderboards import compare

    competition = _on_kaggle(competition_id, folder)
    found = compare(competition.id, competition.standings.scores, KaggleClient().leaderboard(competition.id))
    if json:
        print_json(found.model_dump(mode="json"))
    else:
        typer.echo(found.summary)
        for row in found.first:
            typer.echo(f"  rank {row.rank:,}: bundled {_score(row.bundled)}, Kaggle {_score(row.kaggle)}")
    if not found.equal:
        raise typer.Exit(1)


@app.command("kernels", cls=Command)
def kernels(
    competition_id: CompetitionId,
    output: Annotated[
        Path | None, typer.Option(help="Folder for the sources; by default mle-bench/kernels/ID in the cache folder.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Fetch again what is there, and ask for what was not.")
    ] = False,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Fetch the popular public notebooks of a competition from Kaggle, to compare agents' code with.

    Example: mlebench dev kernels leaf-classification
    """
    from rich.progress import Progress

    from mlebench.kaggle import KaggleClient
    from mlebench.kaggle.notebooks import cached_path, fetch_notebooks, notebook_names
    from mlebench.tasks.registry import DEFAULT_DATA_DIR

    competition = _on_kaggle(competition_id, folder)
    place = output or DEFAULT_DATA_DIR.parent / "kernels" / competition.id
    names, client = notebook_names(competition), KaggleClient()
    out = console(stderr=True)
    with Progress(console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task(f"notebooks of {competition.id}", total=len(names))
        missing = fetch_notebooks(client, names, place, lambda name: bar.advance(task), again=again)
    there = {name: str(path) for name in names if (path := cached_path(place, name))}
    if json:
        print_json({"competition": competition.id, "folder": str(place), "notebooks": there, "missing": missing})
        return
    typer.echo(f"{len(there)} of {len(names)} notebooks of {competition.id} are in {place}.")
    if missing:
        typer.echo(f"{len(missing)} are not to be had any more: {', '.join(sorted(missing)[:5])}{_more(missing)}.")


@app.command("download-leaderboard", cls=Command)
def download_leaderboard(
    competition_id: CompetitionIds = None,
    all_: Annotated[bool, typer.Option("--all", help="All competitions.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Changes nothing: they are part of mlebench.")] = False,
) -> None:
    """Print where competitions' leaderboards lie; they come along and need no download.

    Example: mlebench dev download-leaderboard -c spaceship-titanic
    """
    from mlebench.data import ensure_leaderboard_exists

    registry = open_registry(None, None)
    if bool(competition_id) == all_:
        raise UsageError("Say which leaderboards, in one way: by id (-c) or --all.")
    for name in competition_id or registry.list_competition_ids():
        typer.echo(ensure_leaderboard_exists(registry.get_competition(name), force=force))


def _on_kaggle(competition_id: str, folders: list[Path] | None) -> Competition:
    competition = open_registry(None, folders).get_competition(competition_id)
    if competition.is_embedded:
        raise UsageError(f"{competition.id} is not a competition of Kaggle's: its data are made on this machine.")
    return competition


def _score(score: float | None) -> str:
    return "nothing" if score is None else f"{score:g}"


def _more(names: dict[str, str]) -> str:
    return f" and {len(names) - 5} more" if len(names) > 5 else ""
