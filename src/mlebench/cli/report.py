from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.options import Folders, Json, RunsDir, open_registry
from mlebench.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.analysis.report import Report
    from mlebench.tasks.registry import Registry

TERMINAL = "terminal"


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
            help="Print this table only; may be repeated: main, intervals, complexity, category, year, trend, passes,"
            " comparisons, sides, competitions, tasks, problems, curve, runs, failures, usage.",
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

    Beside the page, the folder report_files holds the curves as SVG files and a page for each run.

    Example: mlebench report runs/my-group --table complexity --format markdown
    """
    from mlebench.analysis import report as analysis
    from mlebench.analysis.tables import TABLES
    from mlebench.analysis.tables.formats import Format
    from mlebench.errors import UnknownNameError

    for name in table or ():
        if name not in TABLES:
            raise UnknownNameError("table", name, list(TABLES))
    if format_ != TERMINAL and format_ not in list(Format):
        raise UnknownNameError("format", format_, [TERMINAL, *Format])
    made = analysis.report(
        sources,
        runs_dir=runs_dir,
        split=split,
        pad_missing=pad_missing,
        group_by=group_by,
        labels=labels,
        without=[kind.strip() for kind in without.split(",")] if without else (),
        registry=open_registry(None, folders),
    )
    folder = output_dir or made.default_folder
    if folder is not None:
        page = made.write(folder, run_pages=run_pages)
        console(stderr=True).print(f"Wrote {page} and {page.with_name(analysis.SUMMARY)}", soft_wrap=True)
    show(made, table or analysis.DEFAULT_TABLES, format_, json=json)


def write_and_print(folder: Path, registry: Registry, *, json: bool) -> Path:
    """Write the report on one group into its folder, and print it; return the path of the page."""
    from mlebench.analysis import report as analysis

    made = analysis.report(folder, registry=registry)
    page = made.write()
    show(made, analysis.DEFAULT_TABLES, json=json)
    return page


def show(report: Report, tables: Sequence[str], format_: str = TERMINAL, *, json: bool = False) -> None:
    """Print tables of a report, and its caveats; in other formats than `terminal`, caveats go to standard error."""
    from mlebench.cli.tables import terminal_table

    if json:
        typer.echo(report.to_json())
        return
    out = console()
    for name in tables:
        if format_ == TERMINAL:
            out.print(terminal_table(report.table(name)))
        else:
            typer.echo(report.render(format_, name), nl=False)
    notes = out if format_ == TERMINAL else console(stderr=True)
    for caveat in report.summary.caveats:
        notes.print(f"Note: {caveat}", soft_wrap=True)
