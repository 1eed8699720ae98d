from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mlebench.analysis import statistics

from .simulation import coverage


def test_rank_correlation_is_that_of_scipy() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 6, 40), rng.integers(0, 6, 40)
    found, (low, high) = statistics.rank_correlation(first, second)
    assert found == pytest.approx(stats.spearmanr(first, second).statistic)
    assert low < found < high


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0]])
def test_no_correlation(values: list[float]) -> None:
    assert math.isnan(statistics.rank_correlation(values, values[::-1])[0])


def test_interval_of_a_correlation_covers_it() -> None:
    """For normal pairs, Spearman's correlation is a function of Pearson's."""
    pearson = 0.5
    truth = 6 / math.pi * math.asin(pearson / 2)

    def study(rng: np.random.Generator) -> tuple[float, float]:
        pairs = rng.multivariate_normal([0, 0], [[1, pearson], [pearson, 1]], size=60)
        return statistics.rank_correlation(pairs[:, 0], pairs[:, 1])[1]

    assert 0.92 <= coverage(study, truth) <= 0.98
