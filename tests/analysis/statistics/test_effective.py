from __future__ import annotations

import numpy as np
import pytest

from mlebench.analysis import statistics


def test_independent_tasks_by_simulation() -> None:
    """60 tasks that go alone, in groups of six, or all by one ability are worth 60, 10 and near 1."""
    random = np.random.default_rng(5)
    for groups, expected in ((60, 60), (10, 10), (1, 1)):
        ability = random.uniform(size=(4000, groups)).repeat(60 // groups, axis=1)
        number, _ = statistics.independent_tasks(ability, np.zeros_like(ability))
        assert number == pytest.approx(expected, rel=0.1)


def test_seeds_do_not_make_tasks_independent() -> None:
    """What seeds add is taken off: without that, 40 copies of a task would seem to be several."""
    random = np.random.default_rng(6)
    ability = random.uniform(size=(4000, 1)).repeat(40, axis=1)
    rates = random.binomial(3, ability) / 3
    noise = rates * (1 - rates) / 2
    assert statistics.independent_tasks(rates, noise)[0] == pytest.approx(1, abs=0.1)
    assert statistics.independent_tasks(rates, np.zeros_like(rates))[0] > 1.4


@pytest.mark.parametrize("agents", [5, 10, 30])
def test_coverage_of_its_interval(agents: int) -> None:
    """60 tasks in ten groups that go alike: near 95 % of the intervals hold 10."""
    random = np.random.default_rng(7)
    ends = [
        statistics.independent_tasks(random.normal(size=(agents, 10)).repeat(6, axis=1), np.zeros((agents, 60)))[1]
        for _ in range(1000)
    ]
    assert 0.9 < np.mean([low <= 10 <= high for low, high in ends]) < 0.99


@pytest.mark.parametrize("rates", [np.ones((4, 10)), np.ones((9, 1)), np.ones((9, 10))])
def test_too_little_evidence_gives_no_number(rates: np.ndarray) -> None:
    assert np.isnan(statistics.independent_tasks(rates, np.zeros_like(rates))[0])


def test_tasks_that_nobody_or_everybody_wins_are_not_informative() -> None:
    assert statistics.telling_tasks([0, 1, 0.5, 0.5, 0.5]) == 3
    assert statistics.telling_tasks([0, 1]) == 0
