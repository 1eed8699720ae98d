"""Printing: results go to standard output, everything else to standard error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.cli.terminal import Terminal


FILE_WIDTH = 120
"""Characters per line of tables that are redirected to a file or another program."""


class HasJson(Protocol):
    """A result that converts itself to plain values."""

    def as_json(self) -> dict[str, Any]: ...


def print_json(value: Any) -> None:
    """Print a JSON-serializable value as one document."""
    typer.echo(json.dumps(value, indent=2))


def print_result(result: HasJson, print_text: Callable[[Any], None], *, json: bool) -> None:
    """Print a result as JSON, or by a function that prints it for people."""
    if json:
        print_json(result.as_json())
    else:
        print_text(result)


def console(*, stderr: bool = False) -> Terminal:
    """Return a console. It prints no colours if NO_COLOR is set or the output is not a terminal."""
    from mlebench.cli.terminal import Terminal

    out = Terminal(stderr=stderr)
    if not out.is_terminal:
        out.width = max(out.width, FILE_WIDTH)
    return out
