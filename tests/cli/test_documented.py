"""Every command and option is documented, and the documents name only what exists."""

import re
import runpy
from pathlib import Path

import pytest
import typer.main

from mlebench.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands(command=None, name="mlebench"):
    command = command or typer.main.get_command(app)
    if not hasattr(command, "commands"):
        return {name: command}
    return {
        path: leaf
        for word, below in command.commands.items()
        for path, leaf in commands(below, f"{name} {word}").items()
    }


def test_the_page_of_commands_is_what_the_commands_say():
    maker = runpy.run_path(str(ROOT / "docs" / "make_commands.py"))
    assert (ROOT / "docs" / "commands.md").read_text() == maker["page"](), "run: python docs/make_commands.py"


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_for_all_options_and_an_example(name):
    command = commands()[name]
    assert "Example: mlebench " in command.help
    for parameter in command.params:
        assert parameter.help or parameter.hidden, parameter.name


def test_the_readme_names_every_command():
    readme = (ROOT / "README.md").read_text()
    assert [name for name in commands() if name not in readme] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_only_commands_options_and_files_that_exist(document):
    text = document.read_text()
    known = commands()
    for line in re.findall(r"mlebench ((?:[a-z-]+ )+(?:--?[a-z-]+|[A-Za-z.@/-]+)*.*)", text):
        words = line.split()
        path = next((path for path in (f"mlebench {' '.join(words[:n])}" for n in (2, 1)) if path in known), None)
        if path is None:
            continue
        options = {option for parameter in known[path].params for option in parameter.opts} | {"--help"}
        used = re.findall(r"(?<![\w-])--[a-z][a-z-]+", line.partition("`")[0])
        assert [option for option in used if option not in options] == [], line
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (document.parent / link).exists(), link
