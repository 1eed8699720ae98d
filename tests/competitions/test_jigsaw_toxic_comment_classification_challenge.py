"""v2 takes columns by their names, v1 by their place."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask


@pytest.mark.parametrize(("version", "is_right"), [("v1", False), ("v2", True)])
def test_columns_of_v2_may_stand_in_any_order(version, is_right, prepared, tmp_path):
    competition = prepared(f"jigsaw-toxic-comment-classification-challenge@{version}")
    task = PreparedTask(competition, tmp_path / "submission.csv")
    verdict, _ = task.submit(task.gold[["id", *reversed(task.targets)]])
    assert (verdict.score == 1) == is_right
