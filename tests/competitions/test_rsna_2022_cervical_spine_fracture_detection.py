"""What each version of rsna-2022-cervical-spine-fracture-detection hands out, and how it weighs studies."""

from __future__ import annotations

import zipfile
from pathlib import PurePath

import pandas as pd
import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.ground.tables import read_csv

ID = "rsna-2022-cervical-spine-fracture-detection"
BOXES = "train_bounding_boxes.csv"


@pytest.fixture
def tasks(prepared, tmp_path):
    return [PreparedTask(prepared(label), tmp_path / "submission.csv") for label in (ID, f"{ID}@v2")]


def test_a_tenth_of_the_studies_is_for_training_in_v1_and_for_testing_in_v2(tasks):
    shares = []
    for task in tasks:
        sizes = [
            read_csv(task.competition.public_dir / f"{part}.csv")["StudyInstanceUID"].nunique()
            for part in ("train", "test")
        ]
        shares.append(sizes[0] / sum(sizes))
    assert shares == [pytest.approx(0.1, abs=0.01), pytest.approx(0.9, abs=0.01)]


def test_all_train_studies_keep_their_boxes_and_segmentations_in_v2_only(tasks):
    with zipfile.ZipFile(tasks[0].competition.folder / "rehearsal.zip") as archive, archive.open(BOXES) as table:
        boxed = set(pd.read_csv(table)["StudyInstanceUID"])
        segmented = {PurePath(name).stem for name in archive.namelist() if name.endswith(".nii")}
    complete = []
    for task in tasks:
        public = task.competition.public_dir
        train = set(read_csv(public / "train.csv")["StudyInstanceUID"])
        files = {path.stem for path in (public / "segmentations").iterdir()}
        complete += [(set(read_csv(public / BOXES)["StudyInstanceUID"]) == boxed & train, files == segmented & train)]
    assert complete == [(False, False), (True, True)]


def test_a_study_with_fractures_counts_more_in_v2_only(tasks):
    rows = [(f"{study}_{kind}", study, kind) for study in "ab" for kind in ("patient_overall", "C1")]
    answers = pd.DataFrame(rows, columns=["row_id", "StudyInstanceUID", "prediction_type"])
    answers["fractured"] = (answers["StudyInstanceUID"] == "a").astype(int)
    missed = answers[["row_id"]].assign(fractured=[0.1, 0.1, 0.1, 0.1])
    v1, v2 = (task.competition.grader.score(missed, answers) for task in tasks)
    healthy, broken = 0.1053605, 2.3025851
    assert v1 == pytest.approx((healthy + broken) / 2)
    assert v2 == pytest.approx((healthy + 2 * broken) / 3)
