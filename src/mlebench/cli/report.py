from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.options import Folders, Json, RunsDir, open_registry
from mlebench.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.analysis.report import Summary
    from mlebench.runs.record import GroupRecord
    from mlebench.tasks.registry import Registry

PAGE = "report.html"
SUMMARY = "report.json"
MOST_RUN_PAGES = 1000
"""Runs up to which each has a page without being asked for."""
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
        without=[kind.strip() for kind in without.split(",")] if without else (),
        folders=found.folders,
    )
    folder = output_dir or (found.folders[0] if found.folders else None)
    if folder is not None:
        page = write(summary, found.groups, folder, run_pages=run_pages)
        console(stderr=True).print(f"Wrote {page} and {page.with_name(SUMMARY)}", soft_wrap=True)
    show(summary, table or SHOWN, format_, json=json)


def write_and_print(folder: Path, registry: Registry, *, json: bool) -> Path:
    """Print the report on one group, and write it into the group's folder; returns the page's path."""
    from mlebench.analysis.sources import read_sources
    from mlebench.analysis.summary import summarize

    found = read_sources([str(folder)])
    summary = summarize(found.groups, registry=registry, folders=found.folders)
    page = write(summary, found.groups, folder)
    show(summary, json=json)
    return page


def write(summary: Summary, groups: Sequence[GroupRecord], folder: Path, *, run_pages: bool | None = None) -> Path:
    """Write a summary as `report.json` and as a page, with pictures and pages of runs beside it; returns its path.

    Runs have pages if there are not too many, or if told so.
    """
    from mlebench.analysis.page import render_page
    from mlebench.analysis.page.curves import pictures
    from mlebench.analysis.page.dossier import FOLDER, find_run, page_names, render_run
    from mlebench.ground.files import write_atomically

    beside = folder / FOLDER
    beside.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / SUMMARY, summary.model_dump_json(indent=2) + "\n")
    for name, picture in pictures(summary).items():
        write_text(beside / name, picture)
    wanted = summary.runs <= MOST_RUN_PAGES if run_pages is None else run_pages
    names = page_names(summary) if wanted else {}
    for key, name in names.items():
        if found := find_run(summary, key):
            write_text(beside / name, render_run(*found))
    page = folder / PAGE
    links = {key: f"{FOLDER}/{name}" for key, name in names.items()}
    write_atomically(page, render_page(summary, groups, links))
    return page


def write_text(path: Path, text: str) -> None:
    """Write a file that may be made again at any time; a lone surrogate in a name becomes a question mark."""
    path.write_bytes(text.encode("utf-8", errors="replace"))


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
        notes.print(f"Note: {caveat}", soft_wrap=True)
