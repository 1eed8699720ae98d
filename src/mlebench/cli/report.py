from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import Folders, Json, RunsDir, open_registry
from mlebench.cli.output import console


def report(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Run groups (name or folder) and grading reports (file or folder); NAME=SOURCE renames the agent.",
        ),
    ],
    runs_dir: RunsDir = Path("runs"),
    split: Annotated[
        str | None, typer.Option(help="Count the competitions of this split only: low, medium, high, all, dev, demo.")
    ] = None,
    pad_missing: Annotated[
        bool,
        typer.Option("--pad-missing", help="Count missing runs as failures instead of leaving out incomplete seeds."),
    ] = False,
    group_by: Annotated[
        str | None,
        typer.Option(help="Keep runs apart that differ in this field of their records, such as profile or machine."),
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="A CSV file of your own categories: competition_id, category.")
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "-t",
            "--table",
            help="Print this table only; may be repeated: main, headline, intervals, complexity, category, year, trend,"
            " passes, comparisons, sides, competitions, tasks, problems, curve, runs, failures, usage.",
        ),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", help="How to print tables: terminal, markdown, latex, csv, json.")
    ] = "terminal",
    without: Annotated[
        str | None,
        typer.Option(
            help="Leave out competitions with known problems of these kinds, such as leak,split; the report says so."
        ),
    ] = None,
    run_pages: Annotated[
        bool | None,
        typer.Option(
            "--run-pages/--no-run-pages", help="Write a page for each run; by default for reports on up to 1000 runs."
        ),
    ] = None,
    output_dir: Annotated[
        Path | None, typer.Option(help="Folder for report.json and report.html; by default the first group's.")
    ] = None,
    folders: Folders = None,
    json: Json = False,
) -> None:
    """Print the medal table of run groups or grading reports, and write it as JSON and as one HTML page.

    The folder report_files next to the page contains the curves as SVG files and a page for each run.

    Example: mlebench report runs/my-group --table complexity --format markdown
    """
    from mlebench.analysis.report import SUMMARY, require_table
    from mlebench.analysis.report import report as make_report
    from mlebench.analysis.tables.formats import Format
    from mlebench.cli.tables import TERMINAL, print_report
    from mlebench.errors import UnknownNameError

    for name in table or ():
        require_table(name)
    if format_ != TERMINAL and format_ not in list(Format):
        raise UnknownNameError("format", format_, [TERMINAL, *Format])
    made = make_report(
        sources,
        runs_dir=runs_dir,
        split=split,
        pad_missing=pad_missing,
        group_by=group_by,
        labels=labels,
        without=without or (),
        registry=open_registry(None, folders),
    )
    folder = output_dir or made.default_folder
    if folder is not None:
        page = made.write(folder, run_pages=run_pages)
        console(stderr=True).print(f"Wrote {page} and {page.with_name(SUMMARY)}", soft_wrap=True)
    print_report(made, table or None, format_, json=json)
