"""The weeks that v2 asks for do not depend on the test patients, and their first visits are not graded."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import laplace

from mlebench.battery.prepared import PreparedTask
from mlebench.preparation import read_csv

ID = "osic-pulmonary-fibrosis-progression"


@pytest.mark.parametrize(("version", "is_fixed"), [("v1", False), ("v2", True)])
def test_the_weeks_of_v2_are_fixed(version, is_fixed, prepared):
    ids = read_csv(prepared(f"{ID}@{version}").sample_submission)["Patient_Week"].str.rpartition("_")
    weeks = ids[2].astype(int).groupby(ids[0]).agg(["min", "max", "nunique"])
    assert (weeks == [-12, 133, 146]).all(axis=None) == is_fixed


def test_three_visits_after_the_first_are_graded_of_each_patient(prepared):
    task = prepared(f"{ID}@v2")
    answers = read_csv(task.answers)
    test = read_csv(task.public_dir / "test.csv")
    graded = answers.loc[answers["graded"], "Patient_Week"]
    assert graded.str.rpartition("_")[0].value_counts().to_dict() == dict.fromkeys(test["Patient"], 3)
    assert not graded.isin(test["Patient"] + "_" + test["Weeks"].astype(str)).any()


def test_the_score_of_v2_is_that_of_an_independent_implementation(prepared, tmp_path, seed):
    task = PreparedTask(prepared(f"{ID}@v2"), tmp_path / "submission.csv")
    random = np.random.default_rng(seed)
    rows = len(task.gold)
    submission = task.gold.assign(
        FVC=task.gold["FVC"] + random.normal(0, 600, rows), Confidence=random.uniform(-50, 400, rows)
    )
    graded = read_csv(task.competition.answers)["graded"]
    scale = submission["Confidence"].clip(lower=70) / np.sqrt(2)
    errors = (submission["FVC"] - task.gold["FVC"]).clip(-1000, 1000)
    wanted = laplace.logpdf(errors, scale=scale)[graded].mean()
    assert task.submit(submission)[0].score == pytest.approx(wanted)
