"""The study of alignment, with real runs and the real Kaggle library against a Kaggle on this machine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mlebench.analysis.studies.pairs import AlignmentRecord, Pair, Side, agree, weighted_kappa
from mlebench.data import prepare
from mlebench.tasks.medals import Leaderboard, Medal
from mlebench.tasks.registry import COMPETITIONS_DIR, Registry, folder_name

from ...kaggle.server import Fake, FakeKaggle, Storage

if TYPE_CHECKING:
    from pathlib import Path

LEAF, TITANIC = "leaf-classification", "spaceship-titanic"
BOARD = Leaderboard(tuple(1 - place / 1000 for place in range(1000)), lower_is_better=False)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for id in (LEAF, TITANIC):
        archive = folder / id / f"{id}.zip"
        archive.parent.mkdir()
        shutil.copyfile(COMPETITIONS_DIR / folder_name(id) / "rehearsal.zip", archive)
        prepare(Registry(folder).get_competition(id), skip_verification=True, keep_raw=True)
    return folder


def study(
    data_dir: Path, output_dir: Path, environment: dict[str, str], *more: str
) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "mlebench",
        "study",
        "alignment",
        "--solution",
        "dummy",
        "--sandbox",
        "process",
    ]
    command += ["-c", LEAF, "-c", TITANIC, "--data-dir", str(data_dir), "--output-dir", str(output_dir), *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, env=os.environ | environment)


def read(output_dir: Path) -> AlignmentRecord:
    return AlignmentRecord.model_validate_json((output_dir / "alignment.json").read_bytes())


def test_solutions_run_on_both_splits_and_kaggle_grades_its_own(data_dir: Path, tmp_path: Path) -> None:
    with FakeKaggle({LEAF: Fake(Storage(b"")), TITANIC: Fake(Storage(b""))}).running() as kaggle:
        first = study(data_dir, tmp_path, kaggle.environment, "--no-send")
        assert first.returncode == 0, first.stderr
        assert "2 of 2 are not graded by Kaggle yet" in first.stdout
        assert not kaggle.submissions
        again = study(data_dir, tmp_path, kaggle.environment)
        assert again.returncode == 0, again.stderr
        assert len(kaggle.submissions) == 2
        third = study(data_dir, tmp_path, kaggle.environment, "--json")
        assert len(kaggle.submissions) == 2  # nothing is sent twice
    pairs = {pair.competition: pair for pair in read(tmp_path).pairs}
    assert json.loads(third.stdout)["pairs"] == json.loads(read(tmp_path).as_file())["pairs"]
    registry = Registry(data_dir)
    for id, pair in pairs.items():
        competition = registry.get_competition(id)
        assert pair.here is not None and pair.kaggle is not None
        assert pair.kaggle == Side.of(0.25, competition.standings)
        sent = tmp_path / "original" / pair.run_id / "submission" / "submission.csv"
        assert sent.read_bytes() in kaggle.uploads.values()
        assert sent.read_bytes() != competition.sample_submission.read_bytes()  # Kaggle's rows, not ours
    assert "rank correlation" not in again.stderr
    assert "Over 2 pairs" in again.stdout


def test_without_kaggles_own_data(tmp_path: Path) -> None:
    archive = tmp_path / LEAF / f"{LEAF}.zip"
    archive.parent.mkdir()
    shutil.copyfile(COMPETITIONS_DIR / folder_name(LEAF) / "rehearsal.zip", archive)
    prepare(Registry(tmp_path).get_competition(LEAF), skip_verification=True, keep_raw=False)
    command = [sys.executable, "-m", "mlebench", "study", "alignment", "--solution", "dummy", "-c", LEAF]
    command += ["--sandbox", "process", "--data-dir", str(tmp_path), "--output-dir", str(tmp_path / "out")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "--keep-raw" in result.stderr and "--rehearsal" not in result.stderr


def pair(number: int, here: float | None, there: float | None) -> Pair:
    sides = {"here": Side.of(here, BOARD, "Bad."), "kaggle": Side.of(there, BOARD, "Bad.")}
    return Pair(run_id=f"c{number}_a_seed-0", competition=f"c{number}", solution="a", seed=0, **sides)


def test_agreement_of_known_pairs() -> None:
    found = agree([pair(0, 0.99, 0.99), pair(1, 0.91, 0.96), pair(2, 0.4, 0.3), pair(3, None, 0.5), pair(4, 0.5, 0.2)])
    assert found is not None
    assert (found.pairs, found.medals_here, found.medals_kaggle, found.same_medal) == (4, 2, 2, 75.0)
    assert found.difference == pytest.approx((0 - 5 + 10 + 30) / 4, abs=0.1)
    assert found.correlation == pytest.approx(0.8)
    assert found.interval is not None and found.interval[0] < found.difference < found.interval[1]


def test_nothing_to_agree_on() -> None:
    assert agree([]) is None
    assert agree([pair(0, None, 0.5), Pair(run_id="x", competition="x", solution="a", seed=0)]) is None
    alone = agree([pair(0, 0.5, 0.5)])
    assert alone is not None
    assert (alone.interval, alone.permutation_p, alone.correlation, alone.kappa) == (None, None, None, None)


def test_weighted_kappa_is_that_of_scikit_learn() -> None:
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 4, 50), rng.integers(0, 4, 50)
    assert weighted_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second, weights="quadratic"))


def test_medals_are_those_of_the_private_leaderboard() -> None:
    assert Side.of(0.99, BOARD).medal is Medal.GOLD
    assert Side.of(float("nan"), BOARD).percentile is None
