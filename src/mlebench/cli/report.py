from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.options import Folders, Json, RunsDir, open_registry
from mlebench.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.analysis.report import Summary
    from mlebench.registry import Registry
    from mlebench.runs.record import GroupRecord

PAGE = "report.html"
SUMMARY = "report.json"
SHOWN = ("competitions", "main")
"""The tables that a report shows where none is asked for."""


def report(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Run groups, by name or folder, and grading reports, by file or folder; NAME=SOURCE calls its agent"
            " otherwise.",
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
            " comparisons, competitions, runs, failures, usage.",
        ),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", help="How to print tables: terminal, markdown, latex, csv, json.")
    ] = "terminal",
    output_dir: Annotated[
        Path | None, typer.Option(help="Folder for report.json and report.html; by default the first group's.")
    ] = None,
    folders: Folders = None,
    json: Json = False,
) -> None:
    """Print the medal table of run groups or grading reports, and write it as JSON and as one HTML page.

    Example: mlebench report runs/my-group --table complexity --format markdown
    """
    from mlebench.analysis.facts import read_labels
    from mlebench.analysis.sources import read_sources
    from mlebench.analysis.summary import summarize
    from mlebench.analysis.tables import TABLES, Format
    from mlebench.errors import UnknownNameError

    for kind, names, known in (
        ("table", table or (), list(TABLES)),
        ("format", [format_], [str(one) for one in Format]),
    ):
        for name in names:
            if name not in known:
                raise UnknownNameError(kind, name, known)
    registry = open_registry(None, folders)
    found = read_sources(sources, runs_dir)
    summary = summarize(
        found.groups,
        found.gradings,
        registry=registry,
        competitions=registry.get_split(split) if split else None,
        pad_missing=pad_missing,
        group_by=group_by,
        labels=read_labels(labels) if labels else None,
    )
    folder = output_dir or (found.folders[0] if found.folders else None)
    if folder is not None:
        page = write(summary, found.groups, folder)
        console(stderr=True).print(f"Wrote {page} and {page.with_name(SUMMARY)}", soft_wrap=True, markup=False)
    show(summary, table or SHOWN, format_, json=json)


def write_and_print(folder: Path, registry: Registry, *, json: bool) -> Path:
    """Print the report on one group, and write it into the group's folder; returns the page's path."""
    from mlebench.analysis.sources import read_sources
    from mlebench.analysis.summary import summarize

    groups = read_sources([str(folder)]).groups
    summary = summarize(groups, registry=registry)
    page = write(summary, groups, folder)
    show(summary, json=json)
    return page


def write(summary: Summary, groups: Sequence[GroupRecord], folder: Path) -> Path:
    """Write a summary as `report.json` and as a page; returns the page's path."""
    from mlebench.analysis.page import render_page
    from mlebench.files import write_atomically

    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / SUMMARY, summary.model_dump_json(indent=2) + "\n")
    page = folder / PAGE
    write_atomically(page, render_page(summary, groups))
    return page


def show(summary: Summary, tables: Sequence[str] = SHOWN, format_: str = "terminal", *, json: bool = False) -> None:
    """Print a summary's tables and caveats; what is not for people goes to standard output without the caveats."""
    from mlebench.analysis.tables import FORMATS, TABLES, Format
    from mlebench.analysis.tables.formats import for_terminal

    if json:
        typer.echo(summary.model_dump_json(indent=2))
        return
    for_people = format_ == Format.TERMINAL
    out = console()
    for name in tables:
        table = TABLES[name](summary)
        if for_people:
            out.print(for_terminal(table))
        else:
            typer.echo(FORMATS[Format(format_)](table), nl=False)
    notes = out if for_people else console(stderr=True)
    for caveat in summary.caveats:
        notes.print(f"Note: {caveat}", markup=False, soft_wrap=True)
