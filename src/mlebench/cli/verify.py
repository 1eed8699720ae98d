from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import Json, RunsDir
from mlebench.cli.output import print_json


def verify(
    place: Annotated[str, typer.Argument(metavar="RUN", help="A run's folder or a group's, or a group's name.")],
    runs_dir: RunsDir = Path("runs"),
    json: Json = False,
) -> None:
    """Check that nothing in the record of a run or a group was changed, removed or added.

    Prints a digest of the whole record. Publish it, and others can detect a record that was rewritten as a whole.
    docs/runs.md says what the digest covers. The exit code is 1 if something does not agree; each line names the file.

    Example: mlebench verify runs/my-group
    """
    from mlebench.runs.store import find_folder
    from mlebench.runs.verify import fingerprint, remarks
    from mlebench.runs.verify import verify as check

    folder = find_folder(place, runs_dir)
    findings = check(folder)
    digest = None if findings else fingerprint(folder)
    notes = [] if findings else remarks(folder)
    if json:
        found = [finding._asdict() for finding in findings]
        print_json({"folder": str(folder), "digest": digest, "findings": found, "notes": notes})
    elif findings:
        for finding in findings:
            typer.echo(f"{finding.path}: {finding.text}")
    else:
        typer.echo(f"Everything agrees with the record, digest {digest}")
        for note in notes:
            typer.echo(f"Note: {note}")
    raise typer.Exit(1 if findings else 0)
