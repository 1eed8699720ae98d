"""v2 takes predictions as they are, and has a score for every order."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.ground.tables import read_csv


@pytest.mark.parametrize(
    ("version", "factor", "score"),
    [("v1", 0.4, 0.5), ("v2", 0.4, 1), ("v1", -1, 0.5), ("v2", -1, 0), ("v2", 1e300, 1)],
)
def test_the_order_of_predictions_counts_in_v2(version, factor, score, prepared, tmp_path):
    competition = prepared(f"jigsaw-unintended-bias-in-toxicity-classification@{version}")
    task = PreparedTask(competition, tmp_path / "submission.csv")
    toxicity = read_csv(competition.answers)["toxicity"]
    assert task.submit(task.sample.assign(prediction=factor * toxicity))[0].score == score


@pytest.mark.parametrize(("version", "score"), [("v1", None), ("v2", 0)])
def test_predictions_on_the_wrong_side_have_a_score_in_v2(version, score, prepared, tmp_path):
    competition = prepared(f"jigsaw-unintended-bias-in-toxicity-classification@{version}")
    task = PreparedTask(competition, tmp_path / "submission.csv")
    toxicity = read_csv(competition.answers)["toxicity"]
    assert task.submit(task.sample.assign(prediction=1 - (toxicity >= 0.5)))[0].score == score
