from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mlebench.analysis import statistics

from .simulation import STUDIES, coverage, success


def test_paired_interval_covers_the_true_difference() -> None:
    def study(rng: np.random.Generator) -> tuple[float, float]:
        chances = rng.beta(1, 1, size=40) * 0.8
        first, second = success(rng, chances + 0.2, 3), success(rng, chances, 3)
        return statistics.compare_paired(first.mean(axis=1), second.mean(axis=1)).interval

    assert 0.92 <= coverage(study, 0.2) <= 0.98


def test_tests_of_paired_differences_keep_their_level_and_find_what_is_there() -> None:
    rng = np.random.default_rng(5)
    by_chance = [rng.normal(size=30) for _ in range(STUDIES)]
    detectable = 2.8 / math.sqrt(30)  # the difference that is found in four cases of five
    for test in (statistics.permutation_test, statistics.sign_test):
        assert sum(test(values) <= 0.05 for values in by_chance) / STUDIES <= 0.075
    found = [statistics.permutation_test(values + detectable) <= 0.05 for values in by_chance]
    assert 0.72 <= sum(found) / STUDIES <= 0.86


def test_detectable_difference_is_found_in_four_cases_of_five() -> None:
    rng = np.random.default_rng(6)
    found, named = [], []
    for _ in range(STUDIES):
        values = rng.normal(size=30)
        named.append(statistics.compare_paired(values, np.zeros(30)).detectable)
        found.append(statistics.compare_paired(values + 2.9 / math.sqrt(30), np.zeros(30)).interval[0] > 0)
    assert np.mean(named) == pytest.approx(2.9 / math.sqrt(30), rel=0.05)
    assert 0.75 <= np.mean(found) <= 0.87


def test_exact_and_sampled_permutations_agree() -> None:
    values = np.random.default_rng(3).normal(0.4, 1, size=14)
    nearly_the_same = np.append(values, 1e-9)
    assert statistics.permutation_test(nearly_the_same) == pytest.approx(statistics.permutation_test(values), abs=0.01)
    assert statistics.permutation_test(values) == pytest.approx(
        stats.permutation_test((values,), np.mean, permutation_type="samples", n_resamples=2**14).pvalue, abs=1e-12
    )


def test_nothing_differs() -> None:
    comparison = statistics.compare_paired([1.0, 0.0], [1.0, 0.0])
    assert (comparison.sign_p, comparison.permutation_p, comparison.difference) == (1.0, 1.0, 0.0)
    assert math.isnan(statistics.compare_paired([1.0], [0.0]).detectable)


@pytest.mark.parametrize(("better", "worse"), [(0, 0), (3, 0), (5, 2), (4, 4), (20, 7)])
def test_sign_test_is_the_binomial_one(better: int, worse: int) -> None:
    values = [1.0] * better + [-2.0] * worse + [0.0]
    expected = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert statistics.sign_test(values) == pytest.approx(expected)
