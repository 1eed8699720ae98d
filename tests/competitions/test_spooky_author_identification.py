"""v2 divides rows by their sums and clips at 1e-15, as Kaggle did; v1 does neither."""

from __future__ import annotations

import math

import pytest

from mlebench.battery.prepared import PreparedTask


@pytest.mark.parametrize(("version", "score"), [("v1", None), ("v2", math.log(3))])
def test_three_times_a_third_in_two_digits_is_graded_in_v2(version, score, prepared, tmp_path):
    task = PreparedTask(prepared(f"spooky-author-identification@{version}"), tmp_path / "submission.csv")
    verdict, _ = task.submit(task.sample.assign(**dict.fromkeys(task.targets, 0.33)))
    assert verdict.score == (None if score is None else pytest.approx(score))


@pytest.mark.parametrize(("version", "cost"), [("v1", 36.04365), ("v2", -math.log(1e-15))])
def test_no_probability_for_the_true_author_costs_less_in_v2(version, cost, prepared, tmp_path):
    task = PreparedTask(prepared(f"spooky-author-identification@{version}"), tmp_path / "submission.csv")
    wrong = task.gold[task.targets].to_numpy()[:, [1, 2, 0]]
    verdict, _ = task.submit(task.gold[["id"]].assign(**dict(zip(task.targets, wrong.T, strict=True))))
    assert verdict.score == pytest.approx(cost)
