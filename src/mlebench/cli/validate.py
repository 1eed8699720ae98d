from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Folders, Json, open_registry
from mlebench.cli.output import print_json


def validate(
    submission: Annotated[Path, typer.Argument(help="The submission, a CSV file.")],
    competition_id: Annotated[str, typer.Argument(help="The competition's id, with @v2 for that version.")],
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Check the form of a submission, as the check inside a sandbox does.

    The answers are not read. The exit code is 1 for a submission that is not valid.

    Example: mlebench validate submission.csv spaceship-titanic
    """
    from mlebench.grading.check import validate as check

    competition = open_registry(data_dir, folder).get_competition(competition_id)
    found = check(submission, competition)
    if json:
        print_json({"competition_id": competition.id, "valid": found.is_valid, "message": found.message})
    else:
        typer.echo(found.message)
    raise typer.Exit(0 if found.is_valid else 1)
