"""`--quick` leaves out the slow tests and says so; a test that starts a program without being slow fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .quick import FIXTURES, KINDS, TASKS

pytestmark = pytest.mark.slow("programs")

ROOT = Path(__file__).parents[1]
TESTS = """
import os, subprocess, sys

import pytest


def test_in_this_process(): ...


def test_a_quick_command():
    subprocess.run([sys.executable, "-m", "mlebench", "--version"], check=True)


@pytest.mark.slow("programs")
def test_a_marked_program():
    subprocess.run(["true"], check=True)


@pytest.mark.parametrize("competition_id", ["leaf-classification", "leaf-classification@v2", "dogs-vs-cats"])
def test_a_task(competition_id): ...


@pytest.mark.parametrize("competition_id", ["spooky-author-identification", "spaceship-titanic@v2"])
def test_another_task(competition_id): ...


@pytest.mark.parametrize("engine", ["docker", "podman"])
def test_an_engine(engine): ...


@pytest.mark.parametrize("arguments", [("run", "--split", "low"), ("run", "--help")])
def test_a_command(arguments): ...


@pytest.fixture
def browser(): ...


def test_a_browser(browser): ...
"""
UNMARKED = {
    "program": 'subprocess.run(["true"])',
    "shell": 'os.system("true")',
    "copy": "os.waitpid(os.fork() or os._exit(0), 0)",
    "run": 'subprocess.run([sys.executable, "-m", "mlebench", "run", "--agent", "nobody", "--split", "none"])',
    "hidden": 'try: subprocess.run(["nothing-like-it"])\n    except OSError: pass',
}


@pytest.fixture
def run_tests(tmp_path):
    """A function that runs the tests of a source file with the plugin alone."""

    def run(source, *options):
        (tmp_path / "test_it.py").write_text(source)
        command = [sys.executable, "-m", "pytest", "-p", "tests.quick", "-p", "no:cacheprovider", "-c", "/dev/null"]
        command += ["--rootdir", str(tmp_path), *options, str(tmp_path)]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)

    return run


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["alone", "in workers"])
def test_quick_says_what_it_leaves_out(run_tests, options):
    done = run_tests(TESTS, "--quick", *options)
    assert done.returncode == 0, done.stdout
    assert "7 passed" in done.stdout
    assert "--quick left out 6 tests" in done.stdout
    assert re.findall(r"^ +(\d+) (\w+): they", done.stdout, re.MULTILINE) == [
        ("2", "containers"),
        ("1", "browser"),
        ("2", "programs"),
        ("1", "tasks"),
    ]


def test_without_quick_everything_runs_and_nothing_is_said(run_tests):
    done = run_tests(TESTS)
    assert done.returncode == 0, done.stdout
    assert "13 passed" in done.stdout
    assert "left out" not in done.stdout


@pytest.mark.parametrize("statement", UNMARKED.values(), ids=list(UNMARKED))
def test_a_program_in_an_unmarked_test_is_a_failure(run_tests, statement):
    done = run_tests(f"import os, subprocess, sys\n\n\ndef test_it():\n    {statement}\n")
    assert done.returncode == 1, done.stdout
    assert 'Mark this test in test_it.py: @pytest.mark.slow("programs")' in done.stdout


def test_an_unknown_kind_is_refused(run_tests):
    done = run_tests("import pytest\n\n\n@pytest.mark.slow('boring')\ndef test_it(): ...\n", "--quick")
    assert done.returncode != 0
    assert f"slow() takes one of {', '.join(KINDS)}." in done.stdout + done.stderr


def test_the_fixtures_and_tasks_exist():
    from mlebench.tasks.registry import Registry

    conftests = "".join(path.read_text() for path in (ROOT / "tests").rglob("conftest.py"))
    assert [name for name in FIXTURES if f"\ndef {name}(" not in conftests] == []
    assert set(TASKS) <= set(Registry().list_competition_ids())
