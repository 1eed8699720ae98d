"""The study of alignment, with real runs and the real Kaggle library against a Kaggle on this machine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.studies.record import AlignmentRecord, Side
from mlebench.data import prepare
from mlebench.tasks.registry import COMPETITIONS_DIR, Registry, folder_name

from ...kaggle.server import Fake, FakeKaggle, Fault, Storage

if TYPE_CHECKING:
    from pathlib import Path

LEAF, TITANIC = "leaf-classification", "spaceship-titanic"


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
    data_dir: Path, output_dir: Path, environment: dict[str, str], *more: str, ids: tuple[str, ...] = (LEAF, TITANIC)
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
    command += [word for id in ids for word in ("-c", id)]
    command += ["--data-dir", str(data_dir), "--output-dir", str(output_dir), *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | environment)


def read(output_dir: Path) -> AlignmentRecord:
    return AlignmentRecord.model_validate_json((output_dir / "alignment.json").read_bytes())


@pytest.mark.slow("runs")
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


@pytest.mark.slow("runs")
def test_without_kaggles_own_data(tmp_path: Path) -> None:
    archive = tmp_path / LEAF / f"{LEAF}.zip"
    archive.parent.mkdir()
    shutil.copyfile(COMPETITIONS_DIR / folder_name(LEAF) / "rehearsal.zip", archive)
    prepare(Registry(tmp_path).get_competition(LEAF), skip_verification=True, keep_raw=False)
    command = [sys.executable, "-m", "mlebench", "study", "alignment", "--solution", "dummy", "-c", LEAF]
    command += ["--sandbox", "process", "--data-dir", str(tmp_path), "--output-dir", str(tmp_path / "out")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "--keep-raw" in result.stderr and "--rehearsal" not in result.stderr


@pytest.mark.slow("programs")
def test_a_submission_whose_answer_was_lost_is_not_sent_again(data_dir: Path, tmp_path: Path) -> None:
    with FakeKaggle({LEAF: Fake(Storage(b""))}, lost=["CreateSubmission"]).running() as kaggle:
        interrupted = study(data_dir, tmp_path, kaggle.environment, ids=(LEAF,))
        assert interrupted.returncode != 0
        (pair,) = read(tmp_path).pairs
        assert pair.sending_since is not None and pair.kaggle_ref is None
        assert len(kaggle.submissions) == 1
        again = study(data_dir, tmp_path, kaggle.environment, ids=(LEAF,))
        assert again.returncode == 0, again.stderr
        assert list(kaggle.submissions) == [read(tmp_path).pairs[0].kaggle_ref]


@pytest.mark.slow("programs")
def test_a_submission_that_did_not_arrive_is_sent_again(data_dir: Path, tmp_path: Path) -> None:
    fault = Fault("CreateSubmission", 400, body=b'{"code": 400, "message": "Daily limit"}')
    with FakeKaggle({LEAF: Fake(Storage(b""))}, faults=[fault]).running() as kaggle:
        assert study(data_dir, tmp_path, kaggle.environment, ids=(LEAF,)).returncode != 0
        assert not kaggle.submissions
        again = study(data_dir, tmp_path, kaggle.environment, ids=(LEAF,))
        assert again.returncode == 0, again.stderr
        assert len(kaggle.submissions) == 1


@pytest.mark.slow("programs")
def test_a_study_of_a_later_version(data_dir: Path, tmp_path: Path) -> None:
    label = f"{TITANIC}@v2"
    prepare(Registry(data_dir).get_competition(label), skip_verification=True, keep_raw=True)
    with FakeKaggle({TITANIC: Fake(Storage(b""))}).running() as kaggle:
        done = study(data_dir, tmp_path, kaggle.environment, ids=(label,))
        assert done.returncode == 0, done.stderr
        assert list(kaggle.submitted_to.values()) == [TITANIC]
    (pair,) = read(tmp_path).pairs
    assert (pair.competition, pair.run_id) == (label, f"{label}_dummy_seed-0")
    assert pair.here is not None and pair.kaggle is not None and pair.kaggle.score == 0.25
