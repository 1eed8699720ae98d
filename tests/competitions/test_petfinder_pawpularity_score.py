"""Predictions outside 1 to 100 are refused in v1, and graded in v2, as on Kaggle."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.grading.reports import Outcome


@pytest.mark.parametrize("value", [0.5, -3, 100.01])
@pytest.mark.parametrize(("version", "outcome"), [("v1", Outcome.INVALID), ("v2", Outcome.GRADED)])
def test_predictions_off_the_scale(version, outcome, value, prepared, tmp_path):
    task = PreparedTask(prepared(f"petfinder-pawpularity-score@{version}"), tmp_path / "submission.csv")
    verdict, _ = task.submit(task.sample.assign(Pawpularity=value))
    assert verdict.outcome is outcome
