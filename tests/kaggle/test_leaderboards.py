"""Comparing leaderboards, and the commands that ask Kaggle."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench
from mlebench.errors import UsageError
from mlebench.kaggle.leaderboards import compare
from mlebench.tasks.registry import Registry

from .server import Fake, Storage

LEAF = "leaf-classification"


@pytest.fixture
def command(kaggle, bare, tmp_path):
    """A function that runs `mlebench ARGS…` as a user would, with this machine's Kaggle."""

    def call(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "mlebench", *args],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=tmp_path,
            env=bare | kaggle.environment | {"PYTHONPATH": str(Path(mlebench.__file__).parents[1])} | environment,
            timeout=300,
        )

    return call


def bundled() -> list[str]:
    return Registry().get_competition(LEAF).leaderboard.read_text().split()[1:]


def test_equal_leaderboards():
    found = compare("x", [1.0, 2.0], [1.0, 2.0])
    assert found.equal and found.summary == "The leaderboard of x equals the bundled one in all 2 rows."


def test_leaderboards_of_other_lengths():
    found = compare("x", [1.0, 2.0, 3.0], [1.0, 3.0])
    assert (found.only_bundled, found.only_kaggle, found.differing_ranks) == (1, 0, 2)
    assert [(row.rank, row.bundled, row.kaggle) for row in found.first] == [(2, 2.0, 3.0), (3, 3.0, None)]
    assert "first at rank 2: it has 2 rows and the bundled one 3; 0 scores are new and 1 are missing" in found.summary


def test_the_same_scores_in_another_order():
    found = compare("x", [1.0, 2.0, 3.0], [1.0, 3.0, 2.0])
    assert not found.equal and "the same 3 scores are in another order at 2 ranks" in found.summary


def test_the_command_says_equal(kaggle, command):
    kaggle.competitions[LEAF].leaderboard = bundled()
    done = command("dev", "leaderboard", LEAF)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"The leaderboard of {LEAF} equals the bundled one in all {len(bundled()):,} rows.\n"


def test_python_compares_with_the_words_of_the_command(kaggle, client):
    kaggle.competitions[LEAF].leaderboard = bundled()
    assert mlebench.compare_leaderboard(LEAF, client).equal
    with pytest.raises(UsageError, match="not a competition at Kaggle"):
        mlebench.compare_leaderboard("demo-wine", client)


def test_the_command_says_how_it_differs(kaggle, command):
    kaggle.competitions[LEAF].leaderboard = [*bundled()[:100], "77.5", *bundled()[100:]]
    done = command("dev", "leaderboard", LEAF, "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["equal"], found["only_kaggle"], found["first"][0]["rank"]) == (False, 1, 101)
    assert "rank 101" in command("dev", "leaderboard", LEAF).stdout


def test_the_command_without_credentials(command, is_one_sentence):
    done = command("dev", "leaderboard", LEAF, KAGGLE_KEY="")
    assert done.returncode == 3 and done.stdout == ""
    assert done.stderr.startswith("mlebench: There are no Kaggle credentials; create a token")


def test_a_competition_that_is_not_on_kaggle(command):
    done = command("dev", "leaderboard", "demo-wine")
    assert done.returncode == 2 and "not a competition at Kaggle" in done.stderr


def test_notebooks_go_into_the_cache(kaggle, command, bare):
    names = (Registry().get_competition(LEAF).folder / "kernels.txt").read_text().split()
    source = {"source": "{}", "language": "python", "kernelType": "notebook", "slug": "x"}
    kaggle.kernels = dict.fromkeys(names[:-1], source)
    done = command("dev", "kernels", LEAF, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found["missing"]) == names[-1:] and list(found["notebooks"]) == names[:-1]
    assert found["folder"] == str(Path(bare["XDG_CACHE_HOME"]) / "mle-bench/kernels" / LEAF)
    again = command("dev", "kernels", LEAF)
    assert f"{len(names) - 1} of {len(names)} notebooks" in again.stdout and kaggle.count("GetKernel") == len(names)


def test_an_unknown_competition_of_kaggles(kaggle, command):
    kaggle.competitions = {"other": Fake(Storage(b""))}
    done = command("dev", "leaderboard", LEAF)
    assert done.returncode == 1 and f"Kaggle does not know the competition {LEAF}" in done.stderr
