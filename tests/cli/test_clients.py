"""The command lines that programs written for the reference run, as they run them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow("programs")

MODULES = ["mlebench", "mlebench.cli"]
COMMANDS = ["prepare", "grade", "grade-sample", "dev download-leaderboard"]
FIRST_FIELDS = ["competition_id", "score", "gold_threshold"]


@pytest.fixture
def call(tmp_path):
    """A function that runs `python -m MODULE ARGS` in an empty folder, without credentials and standard input."""

    def run(module: str, *args: object) -> subprocess.CompletedProcess[str]:
        home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        return subprocess.run(
            [sys.executable, "-m", module, *map(str, args)],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=tmp_path,
            env={**os.environ, **home},
            timeout=100,
            check=False,
        )

    return run


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(call, module, command):
    result = call(module, *command.split(), "--help")
    assert result.returncode == 0, result.stderr
    assert command.split()[-1] in result.stdout


@pytest.mark.parametrize("module", MODULES)
def test_alone_it_succeeds(call, module):
    assert call(module).returncode == 0


@pytest.mark.parametrize("module", MODULES)
def test_a_sample_is_graded_by_position_and_the_report_is_the_only_object(call, module, ship):
    result = call(module, "grade-sample", ship.sample_submission, ship.id, "--data-dir", ship.prepared_dir.parents[1])
    assert result.returncode == 0, result.stderr
    text = result.stdout + result.stderr
    report = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert list(report)[:3] == FIRST_FIELDS
    assert "Competition report:" in result.stderr
    assert "\x1b" not in text


def test_a_refused_sample_succeeds_and_the_reason_is_on_one_line(call, ship, tmp_path):
    (tmp_path / "submission.csv").write_text("PassengerId\n1\n")
    result = call("mlebench", "grade-sample", "submission.csv", ship.id, "--data-dir", ship.prepared_dir.parents[1])
    assert result.returncode == 0
    reasons = re.findall(r"Invalid submission:\s*(.*)", result.stderr)
    assert reasons[0].startswith("Submission is missing the following column 'Transported'")


@pytest.mark.parametrize("name", ["spaceship-titanic", "spaceship-titanik"])
def test_unprepared_data_and_unknown_competitions_exit_with_1(call, ship, name):
    assert call("mlebench", "grade-sample", ship.sample_submission, name).returncode == 1


@pytest.mark.parametrize("module", MODULES)
def test_a_list_is_graded_and_the_last_line_names_the_report(call, module, ship, tmp_path):
    row = {"competition_id": ship.id, "submission_path": str(ship.sample_submission)}
    (tmp_path / "submission.jsonl").write_text(json.dumps(row))
    folder = ship.prepared_dir.parents[1]
    result = call(module, "grade", "--submission", "submission.jsonl", "--output-dir", "out", "--data-dir", folder)
    assert result.returncode == 0, result.stderr
    (report,) = (tmp_path / "out").iterdir()
    assert result.stderr.splitlines()[-1].endswith(f"Saved summary report to out/{report.name}")
    assert json.loads(report.read_text())["total_valid_submissions"] == 1


@pytest.mark.parametrize("option", ["-c", "--competition-id", "--competition"])
def test_preparing_takes_a_competition_by_every_spelling_and_removes_raw_data(call, option, ship, tmp_path):
    shutil.unpack_archive(ship.folder / "rehearsal.zip", tmp_path / "data" / ship.id / "raw")
    result = call("mlebench.cli", "prepare", option, ship.id, "--data-dir", "data", "--skip-verification")
    assert result.returncode == 0, result.stderr
    home = tmp_path / "data" / ship.id
    assert (home / "prepared" / "public" / "description.md").is_file()
    assert (home / "prepared" / "private" / "test.csv").read_bytes() == ship.answers.read_bytes()
    assert not (home / "raw").exists()


def test_raw_data_are_kept_if_asked_for(call, ship, tmp_path):
    shutil.unpack_archive(ship.folder / "rehearsal.zip", tmp_path / "data" / ship.id / "raw")
    (tmp_path / "list.txt").write_text(f"{ship.id}\n")
    result = call("mlebench", "prepare", "-l", "list.txt", "--data-dir", "data", "--skip-verification", "--keep-raw")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "data" / ship.id / "raw" / "train.csv").is_file()


@pytest.mark.parametrize(
    ("args", "code"),
    [((), 2), (("-c", "no-such-competition"), 1), (("--lite", "--all"), 2), (("-c", "spaceship-titanic"), (1, 3))],
)
def test_preparing_fails_without_a_choice_a_competition_or_credentials(call, args, code):
    """Standard input is closed, so nothing can wait for an answer."""
    result = call("mlebench", "prepare", *args, "--data-dir", "data")
    assert result.returncode in (code if isinstance(code, tuple) else (code,)), result.stderr


@pytest.mark.parametrize("args", [("-c", "spaceship-titanic"), ("--competition-id", "spaceship-titanic", "--force")])
def test_leaderboards_are_found_without_a_download(call, args):
    result = call("mlebench.cli", "dev", "download-leaderboard", *args)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip().endswith("leaderboard.csv")
