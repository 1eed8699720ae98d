"""docs/python.md is true: its examples run, and the functions that it names exist."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

import mlebench
from mlebench.cli.main import app

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.mark.slow("programs")
def test_the_examples_run_in_a_new_process(tmp_path):
    (tmp_path / "python.md").write_text(re.sub(r"(?m)^```.*$", "", PAGE))  # doctest takes fences for output
    command = [sys.executable, "-m", "doctest", "-o", "ELLIPSIS", "-o", "NORMALIZE_WHITESPACE", "python.md"]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT / "src")}
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_page_names_every_command_and_every_public_function():
    functions = [name for name in mlebench.__all__ if inspect.isfunction(getattr(mlebench, name))]
    assert [name for name in functions if f"`{name}`" not in PAGE] == []
    named = set(re.findall("`(mlebench [a-z -]+)`", PAGE))
    assert sorted(command_names(typer.main.get_command(app))) == sorted(named)


def command_names(command, name="mlebench"):
    if not hasattr(command, "commands"):
        return [name]
    return [leaf for word, below in command.commands.items() for leaf in command_names(below, f"{name} {word}")]
