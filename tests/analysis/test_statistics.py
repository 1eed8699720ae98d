from __future__ import annotations

import doctest
import math
import statistics as stdlib

import pytest

from mlebench.analysis import statistics


def test_docstring_examples() -> None:
    assert doctest.testmod(statistics).failed == 0


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
