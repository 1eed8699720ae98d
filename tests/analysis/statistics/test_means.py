from __future__ import annotations

import math
import statistics as stdlib

import numpy as np
import pytest

from mlebench.analysis import statistics


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
