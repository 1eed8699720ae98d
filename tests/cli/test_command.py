from __future__ import annotations

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from mlebench.cli.command import Command, _expanded


@pytest.mark.slow("programs")
def test_a_reader_that_closes_the_pipe_causes_no_traceback(mlebench, tmp_path):
    for words in ("schema competition", "list"):
        script = f"sh -c '{sys.executable} -m mlebench {words}; echo $? >&2' | true"
        result = subprocess.run(script, shell=True, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert result.stderr == "141\n"


@pytest.mark.parametrize(
    ("given", "expanded"),
    [
        (["--competition", "x"], ["--competition-id", "x"]),
        (["--competition=x"], ["--competition-id=x"]),
        (["--data-dir", "x"], ["--data-dir", "x"]),
        (["--keep", "x"], ["--keep", "x"]),  # two options begin with it
        (["--nothing"], ["--nothing"]),
        (["-c", "--", "--competition"], ["-c", "--", "--competition"]),
        ([], []),
    ],
)
def test_an_unambiguous_abbreviation_stands_for_the_option(given, expanded):
    names = ["--competition-id", "--data-dir", "--keep-raw", "--keep-zip"]
    assert list(_expanded(given, names)) == expanded


def test_an_option_is_preferred_to_a_longer_one_that_begins_with_it():
    assert list(_expanded(["--raw"], ["--raw", "--raw-data"])) == ["--raw"]


def test_an_interruption_says_how_to_continue():
    app = typer.Typer()

    @app.command(cls=Command)
    def interrupted() -> None:
        raise KeyboardInterrupt

    result = CliRunner().invoke(app)
    assert result.exit_code == 130
    assert "Repeat the command" in result.stderr
