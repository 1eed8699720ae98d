from __future__ import annotations

import numpy as np
import pytest

from mlebench.analysis.studies.agreement import measure_agreement, weighted_kappa
from mlebench.analysis.studies.record import Pair, Side
from mlebench.tasks.medals import Leaderboard

BOARD = Leaderboard(tuple(1 - place / 1000 for place in range(1000)), lower_is_better=False)


def pair(number: int, here: float | None, there: float | None) -> Pair:
    sides = {"here": Side.of(here, BOARD, "Bad."), "kaggle": Side.of(there, BOARD, "Bad.")}
    return Pair(run_id=f"c{number}_a_seed-0", competition=f"c{number}", solution="a", seed=0, **sides)


def test_agreement_of_known_pairs() -> None:
    found = measure_agreement(
        [pair(0, 0.99, 0.99), pair(1, 0.91, 0.96), pair(2, 0.4, 0.3), pair(3, None, 0.5), pair(4, 0.5, 0.2)]
    )
    assert found is not None
    assert (found.pairs, found.medals_here, found.medals_kaggle, found.same_medal) == (4, 2, 2, 75.0)
    assert found.difference == pytest.approx((0 - 5 + 10 + 30) / 4, abs=0.1)
    assert found.correlation == pytest.approx(0.8)
    assert found.interval is not None and found.interval[0] < found.difference < found.interval[1]


def test_nothing_to_agree_on() -> None:
    assert measure_agreement([]) is None
    assert measure_agreement([pair(0, None, 0.5), Pair(run_id="x", competition="x", solution="a", seed=0)]) is None
    alone = measure_agreement([pair(0, 0.5, 0.5)])
    assert alone is not None
    assert (alone.interval, alone.permutation_p, alone.correlation, alone.kappa) == (None, None, None, None)


def test_weighted_kappa_is_that_of_scikit_learn() -> None:
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 4, 50), rng.integers(0, 4, 50)
    assert weighted_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second, weights="quadratic"))
