from __future__ import annotations

import doctest
import itertools
import math
import statistics as stdlib
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

from mlebench.analysis import statistics
from mlebench.analysis.statistics import attempts, correlation, intervals, means, paired

if TYPE_CHECKING:
    from collections.abc import Callable

STUDIES = 400


@pytest.mark.parametrize("module", [attempts, correlation, intervals, means, paired])
def test_docstring_examples(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted and not results.failed


def test_known_values() -> None:
    assert statistics.mean([1, 2, 3, 4]) == 2.5
    # s = 1.29099..., n = 4
    assert statistics.standard_error([1, 2, 3, 4]) == pytest.approx(0.6454972243679028)


def test_standard_error_uses_the_sample_standard_deviation() -> None:
    values = [16.9, 17.4, 13.3, 20.0, 16.0]
    expected = stdlib.stdev(values) / math.sqrt(len(values))
    assert statistics.standard_error(values) == pytest.approx(expected)


def test_equal_values_have_no_error_at_all() -> None:
    assert statistics.standard_error([0.975221] * 3) == 0.0


@pytest.mark.parametrize("values", [[], [3.0], [1.0, math.nan], [1.0, math.inf]])
def test_no_standard_error(values: list[float]) -> None:
    assert math.isnan(statistics.standard_error(values))


@pytest.mark.filterwarnings("error")
def test_odd_means_are_quiet() -> None:
    assert math.isnan(statistics.mean([]))
    assert math.isnan(statistics.mean([math.nan, 1.0]))
    assert math.isnan(statistics.mean([math.inf, -math.inf]))
    assert statistics.mean([math.inf, 1.0]) == math.inf


def test_shape_is_checked() -> None:
    with pytest.raises(ValueError, match=r"\(n_seeds,\)"):
        statistics.mean([[1.0], [2.0]])


# Errors of the paper's Table 2, in percent, from counts that fit its means: attempts, successes, printed error.
PAPER = [
    *[(1200, count, error) for count, error in ((1181, 0.4), (994, 1.1), (353, 1.3), (41, 0.5), (49, 0.6), (113, 0.8))],
    *[
        (2700, count, error)
        for count, error in ((1909, 0.9), (1482, 1.0), (389, 0.7), (43, 0.2), (59, 0.3), (135, 0.4))
    ],
    *[
        (300, count, error)
        for count, error in ((139, 2.9), (82, 2.6), (20, 1.4), (0, 0.0), (4, 0.7), (5, 0.7), (9, 1.0))
    ],
    *[
        (225, count, error)
        for count, error in ((155, 3.1), (115, 3.3), (29, 2.2), (2, 0.6), (5, 1.0), (10, 1.4), (17, 1.8))
    ],
    *[
        (225, count, error)
        for count, error in ((133, 3.3), (117, 3.3), (16, 1.7), (1, 0.4), (3, 0.8), (6, 1.1), (10, 1.4))
    ],
    *[(366, count, error) for count, error in ((240, 2.5), (162, 2.6), (7, 0.7), (3, 0.5))],
    (1200, 203, 1.1),
    (2700, 234, 0.5),
]


@pytest.mark.parametrize(("attempts", "successes", "printed"), PAPER)
def test_errors_of_the_paper_follow_from_its_counts(attempts: int, successes: int, printed: float) -> None:
    values = [100.0] * successes + [0.0] * (attempts - successes)
    assert round(statistics.pooled_standard_error(values), 1) == printed


def test_pooled_standard_error_takes_any_shape() -> None:
    values = np.arange(12.0)
    assert statistics.pooled_standard_error(values.reshape(3, 4)) == statistics.standard_error(values)


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


def coverage(study: Callable[[np.random.Generator], tuple[float, float]], truth: float) -> float:
    rng = np.random.default_rng(7)
    found = [study(rng) for _ in range(STUDIES)]
    return sum(low <= truth <= high for low, high in found) / STUDIES


def success(rng: np.random.Generator, chances: np.ndarray, seeds: int) -> np.ndarray:
    return (rng.random((len(chances), seeds)) < chances[:, np.newaxis]).astype(float)


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


@pytest.mark.parametrize(("better", "worse"), [(0, 0), (3, 0), (5, 2), (4, 4), (20, 7)])
def test_sign_test_is_the_binomial_one(better: int, worse: int) -> None:
    values = [1.0] * better + [-2.0] * worse + [0.0]
    expected = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert statistics.sign_test(values) == pytest.approx(expected)
