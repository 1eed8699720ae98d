"""Writes `docs/commands.md` from the commands themselves: `python docs/make_commands.py`."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import typer.main

from mlebench.cli.main import app

PAGE = Path(__file__).with_name("commands.md")
HEAD = """# Commands

Made by `python docs/make_commands.py` from the commands' own help; a test fails when it is out of date.

Results go to standard output, everything said about the work to standard error. Long options may be shortened
while they stay unambiguous. Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 this machine lacks something,
130 interrupted, 141 whoever read the output has ended.
"""


def page() -> str:
    root = typer.main.get_command(app)
    return HEAD + "".join(sections(root, "mlebench"))


def sections(command: Any, name: str) -> list[str]:
    if hasattr(command, "commands"):
        return [text for word, below in command.commands.items() for text in sections(below, f"{name} {word}")]
    rows = [row(parameter) for parameter in command.params if not getattr(parameter, "hidden", False)]
    table = "| | |\n|---|---|\n" + "".join(rows) if rows else ""
    return [f"\n## `{name}`\n\n{prose(command.help)}\n\n{table}"]


def prose(help: str) -> str:
    text, _, example = inspect.cleandoc(help).partition("Example: ")
    return f"{text.strip()}\n\n    {example.strip()}"


def row(parameter: Any) -> str:
    option = parameter.param_type_name == "option"
    names = parameter.opts if option else [parameter.metavar or parameter.name.upper()]
    default = parameter.default
    plain = isinstance(default, (str, int, float, Path)) and not isinstance(default, bool)
    words = [parameter.help or "", *["Required."] * parameter.required, *[f"Default: `{default}`."] * plain]
    return f"| {', '.join(f'`{name}`' for name in names)} | {' '.join(words)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
