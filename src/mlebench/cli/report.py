from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import Json, RunsDir
from mlebench.cli.output import console

PAGE = "report.html"
SUMMARY = "report.json"


def report(
    groups: Annotated[list[str], typer.Argument(metavar="GROUP...", help="Run groups, by name or folder.")],
    runs_dir: RunsDir = Path("runs"),
    output_dir: Annotated[
        Path | None, typer.Option(help="Folder for report.json and report.html; by default the first group's.")
    ] = None,
    json: Json = False,
) -> None:
    """Print the medal table of run groups, and write it as JSON and as one HTML page.

    Example: mlebench report runs/my-group
    """
    folders = [runs_dir / name if (runs_dir / name).exists() else Path(name) for name in groups]
    page = write_and_print(folders, output_dir or folders[0], json=json)
    console(stderr=True).print(f"Wrote {page} and {page.with_name(SUMMARY)}", soft_wrap=True)


def write_and_print(folders: list[Path], output_dir: Path, *, json: bool) -> Path:
    """Print the tables of groups, or their summary as JSON, and write both files; returns the page's path."""
    from mlebench.analysis.groups import read_groups
    from mlebench.analysis.page import render_page
    from mlebench.analysis.summary import summarize
    from mlebench.analysis.tables import competition_table, main_table
    from mlebench.files import write_atomically

    groups = read_groups(folders)
    summary = summarize(groups)
    document = summary.model_dump_json(indent=2) + "\n"
    output_dir.mkdir(parents=True, exist_ok=True)
    write_atomically(output_dir / SUMMARY, document)
    page = output_dir / PAGE
    write_atomically(page, render_page(summary, groups))
    if json:
        typer.echo(document, nl=False)
    else:
        out = console()
        out.print(competition_table(summary))
        out.print(main_table(summary))
        for caveat in summary.caveats:
            out.print(f"Note: {caveat}", markup=False, soft_wrap=True)
    return page
