"""Reports and their tables in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from mlebench.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table as RichTable

    from mlebench.analysis.report import Report
    from mlebench.analysis.tables import AnyTable

TERMINAL = "terminal"
"""The format of tables that is not a text format."""
DEFAULT_TABLES = ("competitions", "main", "headline")
"""The tables that are printed without a request; the last only if it differs from the main table."""

MAX_FIRST_COLUMN = 16
"""Characters of the first column that are never broken into lines."""


def terminal_table(table: AnyTable) -> RichTable:
    """Return a table that a rich console prints."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(
        title=table.title,
        title_justify="left",
        title_style="bold",
        caption=table.caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    longest = max((len(row[0].text) for row in table.cells), default=1)
    for place, column in enumerate(table.columns):
        shown.add_column(
            column.heading.replace(" ", "\n") if table.is_dense and place else column.heading,
            justify=column.align,
            no_wrap=column.align == "right",
            overflow="fold",
            vertical="top",
            min_width=None if place else min(MAX_FIRST_COLUMN, longest),
        )
    for place, row in enumerate(table.cells):
        cells = []
        for cell in row:
            parts: list[Any] = [cell.text.replace(" ± ", "\n± ") if table.is_dense else cell.text]
            if cell.is_marks_only:
                parts = [part for mark in cell.marks for part in (" ", (mark.symbol, mark.style))][1:]
            cells.append(Text.assemble(*parts, *([(f"\n{cell.note}", "dim")] if cell.note else [])))
        shown.add_row(*cells, end_section=place in table.group_ends)
    return shown


def print_report(
    report: Report, tables: Sequence[str] | None = None, format_: str = TERMINAL, *, json: bool = False
) -> None:
    """Print tables of a report and its caveats; in text formats, caveats go to standard error."""
    if json:
        typer.echo(report.to_json())
        return
    if tables is None:
        tables = DEFAULT_TABLES if report.summary.headline else DEFAULT_TABLES[:-1]
    is_text = format_ != TERMINAL
    for name in tables:
        if is_text:
            typer.echo(report.render(format_, name), nl=False)
        else:
            console().print(terminal_table(report.table(name)))
    for caveat in report.summary.caveats:
        console(stderr=is_text).print(f"Note: {caveat}", soft_wrap=True)
