"""Results go to standard output, everything said about the work to standard error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from mlebench.cli.terminal import Terminal


WIDTH_OF_FILES = 120
"""Columns of tables that go to a file or another program."""


def print_json(value: Any) -> None:
    """Print a value of plain types as one JSON document."""
    typer.echo(json.dumps(value, indent=2))


def console(*, stderr: bool = False) -> Terminal:
    """Return a console; it prints no colours where NO_COLOR is set or no terminal is there."""
    from mlebench.cli.terminal import Terminal

    out = Terminal(stderr=stderr)
    if not out.is_terminal:
        out.width = max(out.width, WIDTH_OF_FILES)
    return out
