from __future__ import annotations

import itertools

import numpy as np
import pytest

from mlebench.analysis import statistics


def test_pass_at_k_counts_draws() -> None:
    outcomes = [1, 1, 0, 0, 0, 0, 0]
    for k in range(1, 8):
        draws = list(itertools.combinations(outcomes, k))
        assert statistics.pass_at_k(7, 2, k) == pytest.approx(sum(map(max, draws)) / len(draws))


def test_best_of_k_averages_draws() -> None:
    values = [0.3, -1.0, 2.5, 0.3, 7.0, 1.0]
    for k in range(1, 7):
        assert statistics.best_of_k(values, k) == pytest.approx(
            np.mean(list(map(max, itertools.combinations(values, k))))
        )


@pytest.mark.parametrize(("n", "c", "k"), [(3, 1, 0), (3, 1, 4), (3, 4, 1), (3, -1, 1)])
def test_impossible_attempts(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="k must be"):
        statistics.pass_at_k(n, c, k)
