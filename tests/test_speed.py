"""The benchmarks run; people read the numbers, on a quiet machine."""

import pytest

from benchmarks.fast_paths import FAST_PATHS
from benchmarks.speed import WORKLOADS


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_workload_runs_and_measures_something(name, tmp_path):
    result = WORKLOADS[name](tmp_path, 0.002)
    assert result.seconds > 0
    assert result.floor_seconds > 0


@pytest.mark.parametrize("name", FAST_PATHS)
def test_every_fast_path_runs_beside_the_plain_way(name, tmp_path):
    result = FAST_PATHS[name](tmp_path, 0.002)
    assert result.seconds > 0
    assert result.floor_seconds > 0
