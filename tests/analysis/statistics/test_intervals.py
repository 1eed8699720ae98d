from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mlebench.analysis import statistics

from .simulation import coverage, success


def test_t_interval_is_that_of_scipy() -> None:
    values = [62.1, 60.6, 63.6, 59.0]
    expected = stats.t.interval(0.95, 3, loc=np.mean(values), scale=stats.sem(values))
    assert statistics.t_interval(values) == pytest.approx(expected)


@pytest.mark.parametrize("values", [[], [1.0], [1.0, math.nan]])
def test_no_t_interval(values: list[float]) -> None:
    assert all(math.isnan(end) for end in statistics.t_interval(values))


@pytest.mark.parametrize("values", [np.empty((0, 3)), [[1.0, 2.0]], [[1.0], [math.nan]]])
def test_no_clustered_interval(values: object) -> None:
    assert all(math.isnan(end) for end in statistics.clustered_intervals([values])[0])  # type: ignore[list-item]


def test_clustered_interval_of_equal_values_has_no_width() -> None:
    assert statistics.clustered_intervals([[[1, 1], [1, 1], [1, 1]]])[0] == (1.0, 1.0)
    ((low, high),) = statistics.clustered_intervals([[[0, 1], [1, 0], [0, 1]]])
    assert low < 0.5 < high


@pytest.mark.parametrize("seeds", [3, 5, 20])
def test_t_interval_covers_the_rate_in_these_competitions(seeds: int) -> None:
    """Seeds are what varies: the 75 competitions are given, each with its own chance of a medal."""
    chances = np.random.default_rng(0).beta(0.4, 0.6, size=75)
    found = coverage(lambda rng: statistics.t_interval(success(rng, chances, seeds).mean(axis=0)), chances.mean())
    assert 0.92 <= found <= 0.98


@pytest.mark.parametrize(("competitions", "seeds"), [(75, 3), (22, 3), (75, 1), (40, 10)])
@pytest.mark.parametrize("spread", [0.4, 20.0])
def test_clustered_interval_covers_the_rate_in_all_competitions(competitions: int, seeds: int, spread: float) -> None:
    """Competitions vary too, much or hardly, and each has a chance of its own."""

    def study(rng: np.random.Generator) -> tuple[float, float]:
        return statistics.clustered_intervals([success(rng, rng.beta(spread, spread, size=competitions), seeds)])[0]

    assert 0.91 <= coverage(study, 0.5) <= 0.98
