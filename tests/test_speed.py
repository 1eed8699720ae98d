"""The speed benchmark runs; its numbers are for people, from a quiet machine."""

import pytest

from benchmarks.speed import WORKLOADS


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_workload_runs_and_measures_something(name, tmp_path):
    result = WORKLOADS[name](tmp_path, 0.002)
    assert result.seconds > 0
    assert result.floor_seconds > 0
