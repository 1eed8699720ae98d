"""What v2 of hms-harmful-brain-activity-classification hands out and grades."""

from __future__ import annotations

import pandas as pd
import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.ground.tables import read_csv

ID = "hms-harmful-brain-activity-classification"


@pytest.fixture
def v1(prepared, tmp_path):
    return PreparedTask(prepared(ID), tmp_path / "submission.csv")


@pytest.fixture
def v2(prepared, tmp_path):
    return PreparedTask(prepared(f"{ID}@v2"), tmp_path / "submission.csv")


def test_a_recording_has_one_row_whose_place_is_known(v1, v2):
    test = read_csv(v2.competition.public_dir / "test.csv")
    assert test["eeg_id"].is_unique
    assert not v1.sample["eeg_id"].is_unique
    assert {"eeg_label_offset_seconds", "spectrogram_label_offset_seconds"} <= set(test.columns)


def test_the_row_of_a_recording_is_the_first_with_most_votes(v1, v2):
    segments = pd.concat([read_csv(v1.competition.public_dir / "train.csv"), read_csv(v1.competition.answers)])
    answers = read_csv(v2.competition.answers)
    segments["votes"] = segments[v2.targets].sum(axis=1)
    best = segments.sort_values("votes", ascending=False, kind="stable").drop_duplicates("eeg_id").set_index("eeg_id")
    assert answers["label_id"].tolist() == best.loc[answers["eeg_id"], "label_id"].tolist()


def test_a_further_column_does_not_count(v1, v2):
    assert v1.submit(v1.gold.assign(note=1.0))[0].score is None
    assert v2.submit(v2.gold.assign(note=1.0))[0].score == pytest.approx(0, abs=1e-9)
