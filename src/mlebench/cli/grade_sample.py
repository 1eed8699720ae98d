from __future__ import annotations

import json as jsons
import logging
from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Folders, open_registry

logger = logging.getLogger(__name__)


def grade_sample(
    submission: Annotated[Path, typer.Argument(help="The submission, a CSV file.")],
    competition_id: Annotated[str, typer.Argument(help="The competition's id, with @v2 for that version.")],
    data_dir: DataDir = None,
    folder: Folders = None,
) -> None:
    """Grade one submission and print the report as JSON.

    The exit code is 0 for a refused or missing submission as well: the report says so.

    Example: mlebench grade-sample submission.csv spaceship-titanic
    """
    from mlebench.grading.judge import judge
    from mlebench.grading.reference import log_verdict
    from mlebench.grading.reports import report_row

    competition = open_registry(data_dir, folder).get_competition(competition_id)
    verdict = judge(submission, competition)
    log_verdict(verdict)
    logger.info("Competition report:")
    typer.echo(jsons.dumps(report_row(verdict), indent=4))
