"""Days of v2, and the score where nothing is marked."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from mlebench.ground.tables import read_csv
from mlebench.preparation import read_json
from mlebench.tasks.registry import Registry

ID = "google-research-identify-contrails-reduce-global-warming"
DAY = 24 * 3600


def test_v2_has_no_train_or_validation_record_of_a_test_day(prepared):
    public, first = prepared(f"{ID}@v2").public_dir, prepared(ID).public_dir
    days = {
        str(record["record_id"]): record["timestamp"] // DAY
        for folder in (first, public)
        for part in ("train", "validation")
        for record in read_json(folder / f"{part}_metadata.json")
    }
    train, validation, test = (
        {path.name for path in (public / part).iterdir()} for part in ("train", "validation", "test")
    )
    test_days = {days[name] for name in test & days.keys()}
    assert test_days
    assert not test_days & {days[name] for name in train | validation}
    left_out = {path.name for path in (first / "validation").iterdir()} - validation
    assert left_out
    assert {days[name] for name in left_out} <= test_days


@pytest.mark.parametrize(("version", "columns"), [("v1", 4), ("v2", 2)])
def test_the_sample_of_v2_has_the_columns_of_a_submission(prepared, version, columns):
    assert len(read_csv(prepared(f"{ID}@{version}").sample_submission).columns) == columns


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_nothing_to_mark_is_right_in_v2(tmp_path, version):
    answers = pd.DataFrame({"record_id": [1, 2], "encoded_pixels": "-", "height": 4, "width": 4})
    score = Registry(tmp_path).get_competition(f"{ID}@{version}").grader.score(answers, answers)
    assert score == 1 if version == "v2" else math.isnan(score)
