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
    """Say whether a submission has the right form, as the check inside a sandbox does.

    The answers are not opened. The exit code is 1 for a submission that would be refused.

    Example: mlebench validate submission.csv spaceship-titanic
    """
    from mlebench.data import require_prepared
    from mlebench.grading.check import VALID, check_submission

    competition = open_registry(data_dir, folder).get_competition(competition_id)
    require_prepared(competition)
    message = check_submission(submission, competition)
    if json:
        print_json({"competition_id": competition.id, "valid": message == VALID, "message": message})
    else:
        typer.echo(message)
    raise typer.Exit(0 if message == VALID else 1)
