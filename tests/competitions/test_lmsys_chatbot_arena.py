"""v2 grades the row that the original statement shows as an example."""

from __future__ import annotations

import math

import pytest

from mlebench.battery.prepared import PreparedTask


@pytest.mark.parametrize(("version", "score"), [("v1", None), ("v2", math.log(3))])
def test_three_times_a_third_in_two_digits_is_graded_in_v2(version, score, prepared, tmp_path):
    task = PreparedTask(prepared(f"lmsys-chatbot-arena@{version}"), tmp_path / "submission.csv")
    verdict, _ = task.submit(task.sample.assign(**dict.fromkeys(task.targets, 0.33)))
    assert verdict.score == (None if score is None else pytest.approx(score))
