from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import DataDir, Folders, Json, open_registry


def grade(
    submission: Annotated[
        Path, typer.Option(help="A JSONL file; each line has a competition_id and a submission_path.")
    ],
    output_dir: Annotated[Path, typer.Option(help="Folder for the grading report; it is made if its parent exists.")],
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Grade many submissions and write one grading report.

    Example: mlebench grade --submission runs/my-group/submission.jsonl --output-dir reports
    """
    from mlebench.grading.batch import grade_jsonl

    report = grade_jsonl(submission, output_dir, open_registry(data_dir, folder))
    if json:
        typer.echo(report.read_text(encoding="utf-8"), nl=False)
