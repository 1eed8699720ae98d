"""How a command reads its words: as click does, and long options may be shortened while they stay unambiguous."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from collections.abc import Iterable


INTERRUPTED = 130
READER_GONE = 141
"""What a shell says of a program that writes on after its reader has ended, as `head` does: 128 + SIGPIPE."""


class Command(TyperCommand):
    """A command that takes `--competition` for `--competition-id`, and ends well when it is interrupted."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        names = [name for parameter in self.get_params(ctx) for name in parameter.opts if name.startswith("--")]
        return super().parse_args(ctx, list(_spelled_out(args, names)))

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo(
                "mlebench: Interrupted; what is done is kept, and the same command goes on from there.", err=True
            )
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains at exit
            raise typer.Exit(READER_GONE) from None


def _spelled_out(args: list[str], names: list[str]) -> Iterable[str]:
    words = iter(args)
    for word in words:
        if word == "--":
            yield word
            yield from words
            return
        name, equals, value = word.partition("=")
        if name.startswith("--") and name not in names:
            longer = [candidate for candidate in names if candidate.startswith(name)]
            if len(longer) == 1:
                word = longer[0] + equals + value
        yield word
