"""Which labels of ranzcr-clip-catheter-line-classification each version grades, and on which patients."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.ground.tables import read_csv

ID = "ranzcr-clip-catheter-line-classification"
LAST = ["CVC - Normal", "Swan Ganz Catheter Present"]


@pytest.fixture
def tasks(prepared, tmp_path):
    return [PreparedTask(prepared(label), tmp_path / "submission.csv") for label in (ID, f"{ID}@v2")]


def test_v2_grades_the_two_labels_that_v1_does_not(tasks):
    scores = []
    for task in tasks:
        answers = read_csv(task.competition.answers)
        wrong = task.gold.assign(**(1 - answers[LAST]))
        scores.append(task.submit(wrong)[0].score)
    assert scores == [1, pytest.approx(9 / 11)]


def test_patients_are_on_both_sides_in_v1_only(tasks):
    shared = [
        read_csv(task.competition.answers)["PatientID"].isin(
            read_csv(task.competition.public_dir / "train.csv")["PatientID"]
        )
        for task in tasks
    ]
    assert [part.any() for part in shared] == [True, False]
