from __future__ import annotations

import math

import numpy as np
import pytest

from mlebench.analysis.estimates import estimate_mean, estimate_rates, interval_or_none, nan_to_none
from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize

from .records import GOLD, has_caveat, make_scores, sources_of


def test_one_seed_has_no_error() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [GOLD]}})))
    estimate = summary.agents[0].rates[Rate.GOLD]
    assert (estimate.mean, estimate.sem) == (100, None)
    assert has_caveat(summary, "no standard error")


@pytest.mark.parametrize(
    ("values", "mean", "sem"), [([], None, None), ([3.0], 3.0, None), ([1.0, 3.0], 2.0, 1.0), ([2.0] * 4, 2.0, 0.0)]
)
def test_a_mean_has_what_its_values_can_tell(values: list[float], mean: float | None, sem: float | None) -> None:
    found = estimate_mean(values)
    assert found.per_seed == tuple(values)
    assert (found.mean, found.sem) == (mean, sem)


def test_rates_are_percentages_by_seed() -> None:
    attempts = np.array([[[1, 0], [1, 1]], [[0, 0], [0, 0]]], dtype=np.float64)
    first, second = estimate_rates(attempts)
    assert (first.per_seed, first.mean) == ((100.0, 50.0), 75.0)
    assert (second.per_seed, second.mean, second.sem) == ((0.0, 0.0), 0.0, 0.0)


def test_intervals_stay_between_0_and_100_percent() -> None:
    (found,) = estimate_rates(np.array([[[1, 0], [1, 1]]], dtype=np.float64))
    assert found.interval == (0.0, 100.0)


def test_a_breakdown_has_no_interval_over_competitions() -> None:
    attempts = np.array([[[1, 0], [0, 1], [1, 1]]], dtype=np.float64)
    (with_interval,) = estimate_rates(attempts)
    (without,) = estimate_rates(attempts, clustered=False)
    assert with_interval.clustered_interval is not None
    assert without.clustered_interval is None


def test_rates_of_nothing_are_unknown() -> None:
    (found,) = estimate_rates(np.zeros((1, 0, 0)))
    assert (found.per_seed, found.mean, found.interval, found.clustered_interval) == ((), None, None, None)


def test_nan_becomes_none_and_infinity_stays() -> None:
    assert [nan_to_none(value) for value in (math.nan, 0.0, math.inf)] == [None, 0.0, math.inf]
    assert interval_or_none((math.nan, math.nan)) is None
    assert interval_or_none((0.0, 1.0)) == (0.0, 1.0)
