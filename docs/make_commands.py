"""Generates `docs/commands.md` from the help texts of all commands. Run: python docs/make_commands.py"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import typer.main

from mlebench.cli.main import app

PAGE = Path(__file__).with_name("commands.md")
HEAD = """# Commands

This page is generated from the commands' help texts. After a change, run `python docs/make_commands.py`.

Results go to standard output, everything else to standard error. Long options may be abbreviated while they are
unambiguous.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | failure, or a negative answer such as an invalid submission |
| 2 | wrong usage |
| 3 | something is missing on this machine |
| 130 | interrupted |
| 141 | the program that reads the output has ended |

"""


def page() -> str:
    """Return the content of the page."""
    commands = leaf_commands(typer.main.get_command(app), "mlebench")
    contents = "".join(f"| [`{name}`](#{name.replace(' ', '-')}) | {summary(each)} |\n" for name, each in commands)
    return f"{HEAD}| command | |\n|---|---|\n{contents}" + "".join(section(name, each) for name, each in commands)


def leaf_commands(command: Any, name: str) -> list[tuple[str, Any]]:
    """Return all commands below a command, with their full names."""
    if not hasattr(command, "commands"):
        return [(name, command)]
    return [leaf for word, below in command.commands.items() for leaf in leaf_commands(below, f"{name} {word}")]


def summary(command: Any) -> str:
    """Return the first line of a command's help."""
    return inspect.cleandoc(command.help).partition("\n")[0]


def section(name: str, command: Any) -> str:
    """Return the section of a command: its help, the example, and a table of its options."""
    text, _, example = inspect.cleandoc(command.help).partition("Example: ")
    rows = [row(parameter) for parameter in command.params if not getattr(parameter, "hidden", False)]
    table = "| option | |\n|---|---|\n" + "".join(rows) if rows else ""
    return f"\n## `{name}`\n\n{text.strip()}\n\n    {example.strip()}\n\n{table}"


def row(parameter: Any) -> str:
    """Return the row of an option or argument."""
    is_option = parameter.param_type_name == "option"
    names = parameter.opts if is_option else [parameter.metavar or parameter.name.upper()]
    default = parameter.default
    has_default = isinstance(default, (str, int, float, Path)) and not isinstance(default, bool)
    cells = [parameter.help or "", *["Required."] * parameter.required, *[f"Default: `{default}`."] * has_default]
    return f"| {', '.join(f'`{name}`' for name in names)} | {' '.join(cells)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
