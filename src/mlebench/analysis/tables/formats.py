"""Tables as text: Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mlebench.analysis.tables.table import AnyTable, Cell, Value


class Format(StrEnum):
    """A text format of tables."""

    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    JSON = "json"


def format_markdown(table: AnyTable) -> str:
    """Return a Markdown table with its title and caption."""

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def escape(cell: Cell) -> str:
        text = f"{cell.text} ({cell.note})" if cell.note else cell.text
        return "".join(f"\\{character}" if character in "\\|`*_[]<>#" else character for character in text)

    lines = [
        f"**{table.title}**",
        "",
        line(column.heading for column in table.columns),
        line("---:" if column.align == "right" else "---" for column in table.columns),
        *(line(map(escape, row)) for row in table.cells),
        "",
        *(text + "  " for text in table.caption.splitlines()),
    ]
    return "\n".join(lines).rstrip() + "\n"


_LATEX = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
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
}


def format_latex(table: AnyTable) -> str:
    """Return a LaTeX table, which needs the package booktabs."""

    def escape(text: str) -> str:
        return "".join(_LATEX.get(character, character) for character in text)

    body = [" & ".join(escape(cell.text) for cell in row) + r" \\" for row in table.cells]
    for place in reversed(table.group_ends[:-1]):
        body.insert(place + 1, r"\midrule")
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escape(table.title)}. {escape(' '.join(table.caption.split()))}}}",
        rf"  \begin{{tabular}}{{{''.join(column.align[0] for column in table.columns)}}}",
        r"    \toprule",
        "    " + " & ".join(escape(column.heading) for column in table.columns) + r" \\",
        r"    \midrule",
        *(f"    {line}" for line in body),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def format_csv(table: AnyTable) -> str:
    """Return a CSV file of the values; standard errors have their own columns, `NAME_sem`."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table.field_names)
    writer.writerows(map(_escape_formula, record.values()) for record in table.records())
    return file.getvalue()


def _escape_formula(value: Value) -> Value:
    """Return a value that spreadsheets do not take for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def format_json(table: AnyTable) -> str:
    """Return a JSON list with one object per row, values as in CSV; NaN and infinities are null."""
    records = [{name: _finite(value) for name, value in record.items()} for record in table.records()]
    return json.dumps(records, indent=2, ensure_ascii=False) + "\n"


def _finite(value: Value) -> Value:
    return None if isinstance(value, float) and not math.isfinite(value) else value


FORMATS: dict[Format, Callable[[AnyTable], str]] = {
    Format.MARKDOWN: format_markdown,
    Format.LATEX: format_latex,
    Format.CSV: format_csv,
    Format.JSON: format_json,
}
