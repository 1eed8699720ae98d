"""What a table is shown as."""

from __future__ import annotations

import csv
import io
import json
import math
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.table import Table as RichTable

    from mlebench.analysis.tables.table import Cell, Table, Value


class Format(StrEnum):
    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    JSON = "json"


def for_terminal(table: Table) -> RichTable:
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
    for place, column in enumerate(table.columns):
        heading = column.heading.replace(" ", "\n") if table.is_dense and place else column.heading
        shown.add_column(
            heading,
            justify="right" if column.is_number else "left",
            no_wrap=column.is_number,
            overflow="fold",
            vertical="top",
            min_width=None if place else min(16, max((len(row[0].text) for row in table.rows), default=1)),
        )
    for number, row in enumerate(table.rows):
        cells = []
        for cell in row:
            text = "\n± ".join(cell.text.split(" ± ")) if table.is_dense else cell.text
            parts: list[Any] = list(cell.spans) or [text]
            cells.append(Text.assemble(*parts, *([("\n" + cell.note, "dim")] if cell.note else [])))
        shown.add_row(*cells, end_section=number in table.groups)
    return shown


def as_markdown(table: Table) -> str:
    """Return a Markdown table with its title and caption."""

    def line(cells: Iterator[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def escaped(cell: Cell) -> str:
        text = f"{cell.text} ({cell.note})" if cell.note else cell.text
        return "".join(f"\\{sign}" if sign in "\\|`*_[]<>#" else sign for sign in text)

    lines = [
        f"**{table.title}**",
        "",
        line(column.heading for column in table.columns),
        line("---:" if column.is_number else "---" for column in table.columns),
        *(line(map(escaped, row)) for row in table.rows),
        "",
        *(text + "  " for text in table.caption.splitlines()),
    ]
    return "\n".join(lines).rstrip() + "\n"


_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "−": "$-$",
    "∞": r"$\infty$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "·": r"$\cdot$",
    "✗": r"$\times$",
    "–": "--",
    "…": r"\ldots{}",
    "⚑": r"$\dagger$",
    "×": r"$\times$",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
}


def as_latex(table: Table) -> str:
    """Return a LaTeX table, which needs the package booktabs."""

    def escaped(text: str) -> str:
        return "".join(_LATEX.get(sign, sign) for sign in text)

    body = [" & ".join(escaped(cell.text) for cell in row) + r" \\" for row in table.rows]
    for place in reversed(table.groups[:-1]):
        body.insert(place + 1, r"\midrule")
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escaped(table.title)}. {escaped(' '.join(table.caption.split()))}}}",
        rf"  \begin{{tabular}}{{{''.join('r' if column.is_number else 'l' for column in table.columns)}}}",
        r"    \toprule",
        "    " + " & ".join(escaped(column.heading) for column in table.columns) + r" \\",
        r"    \midrule",
        *(f"    {line}" for line in body),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def as_csv(table: Table) -> str:
    """Return a CSV table of the values; errors have columns of their own, named after their values with `_sem`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    rows = _objects(table)
    writer.writerow(_names(table))
    writer.writerows([_plain(value) for value in row.values()] for row in rows)
    return out.getvalue()


def as_json(table: Table) -> str:
    """Return a JSON list with an object a row, values as in CSV; NaN and infinities are null."""
    rows = [
        {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()}
        for row in _objects(table)
    ]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def _with_errors(table: Table) -> list[bool]:
    return [any(row[place].has_error for row in table.rows) for place in range(len(table.columns))]


def _names(table: Table) -> list[str]:
    return [
        name
        for column, has_error in zip(table.columns, _with_errors(table), strict=True)
        for name in ([column.name, f"{column.name}_sem"] if has_error else [column.name])
    ]


def _objects(table: Table) -> list[dict[str, Value]]:
    with_errors, names = _with_errors(table), _names(table)
    rows = []
    for row in table.rows:
        values: list[Value] = []
        for cell, has_error in zip(row, with_errors, strict=True):
            values += [cell.value, cell.error] if has_error else [cell.value]
        rows.append(dict(zip(names, values, strict=True)))
    return rows


def _plain(value: Value) -> Value:
    """Return a value for a spreadsheet, which would take some texts for formulas."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


FORMATS: dict[Format, Callable[[Table], str]] = {
    Format.MARKDOWN: as_markdown,
    Format.LATEX: as_latex,
    Format.CSV: as_csv,
    Format.JSON: as_json,
}
"""The formats that are text; a terminal wants a console."""
