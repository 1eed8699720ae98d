"""What v2 gives for nothing found, and which studies it never tests."""

from __future__ import annotations

import zipfile

import pytest

from mlebench.ground.loading import load_module
from mlebench.ground.tables import read_csv
from mlebench.tasks.registry import COMPETITIONS_DIR

FOLDER = COMPETITIONS_DIR / "siim_covid19_detection"


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_only_v1_scores_what_is_not_found(prepared, version):
    task = prepared(f"siim-covid19-detection@{version}")
    sample, answers = read_csv(task.sample_submission), read_csv(task.answers)
    score = task.grader.score(sample.assign(PredictionString=" "), answers)
    assert score == 0 if version == "v2" else score > 0.1
    assert task.grader.score(answers, answers) == 1


def test_studies_without_one_appearance_stay_in_train_with_their_patients(tmp_path):
    with zipfile.ZipFile(FOLDER / "rehearsal.zip") as archive:
        archive.extractall(tmp_path)
    code = load_module(FOLDER / "task.py")
    studies = read_csv(tmp_path / "train_study_level.csv")
    patients = code.patients_of(studies, tmp_path / "train")
    odd = studies[code.COLUMNS].sum(axis=1) != 1
    assert odd.any()
    assert patients[odd].isna().all()
    assert patients[~odd].notna().all()
    assert patients.duplicated().any()
