"""v2 keeps the fraction of the error, which v1 rounds."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask


@pytest.mark.parametrize(("version", "error"), [("v1", 0), ("v2", 0.5)])
def test_the_error_of_v2_is_not_rounded(version, error, prepared, tmp_path):
    task = PreparedTask(prepared(f"predict-volcanic-eruptions-ingv-oe@{version}"), tmp_path / "submission.csv")
    verdict, _ = task.submit(task.gold.assign(time_to_eruption=task.gold["time_to_eruption"] + 0.5))
    assert verdict.score == error
