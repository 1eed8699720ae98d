"""The class of all commands: long options may be abbreviated, and interruptions end with an exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from collections.abc import Iterable


INTERRUPTED = 130
BROKEN_PIPE = 141
"""The exit code of a program whose reader, such as `head`, has ended: 128 + SIGPIPE."""


class Command(TyperCommand):
    """A command that accepts unambiguous abbreviations, such as `--competition` for `--competition-id`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        names = [name for parameter in self.get_params(ctx) for name in parameter.opts if name.startswith("--")]
        return super().parse_args(ctx, list(_expanded(args, names)))

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("mlebench: Interrupted. Repeat the command to continue where it stopped.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter prints an error at exit
            raise typer.Exit(BROKEN_PIPE) from None


def _expanded(argv: list[str], names: list[str]) -> Iterable[str]:
    """Yield the arguments with each unambiguous abbreviation of a long option replaced by its full name."""
    rest = iter(argv)
    for argument in rest:
        if argument == "--":
            yield argument
            yield from rest
            return
        name, equals, value = argument.partition("=")
        if name.startswith("--") and name not in names:
            matches = [candidate for candidate in names if candidate.startswith(name)]
            if len(matches) == 1:
                argument = matches[0] + equals + value
        yield argument
