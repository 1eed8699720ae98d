from __future__ import annotations

from typing import Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.options import CompetitionIds, open_registry
from mlebench.errors import UsageError

app = typer.Typer(help="For those who build competitions.", no_args_is_help=True)


@app.callback()
def root() -> None:
    pass


@app.command("download-leaderboard", cls=Command)
def download_leaderboard(
    competition_id: CompetitionIds = None,
    all_: Annotated[bool, typer.Option("--all", help="All competitions.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Download again; not possible, they are part of mlebench.")
    ] = False,
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
