from __future__ import annotations

import numpy as np
import pytest

from mlebench.analysis import statistics
from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tasks import leaderboard_shape
from mlebench.errors import UnknownNameError
from mlebench.tasks.medals import Leaderboard
from mlebench.tasks.registry import registry

from .records import LEADERBOARD, make_scores, sources_of


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
def test_what_cannot_be_told_is_not(rates: np.ndarray) -> None:
    assert np.isnan(statistics.independent_tasks(rates, np.zeros_like(rates))[0])


def test_tasks_that_nobody_or_everybody_wins_do_not_tell() -> None:
    assert statistics.telling_tasks([0, 1, 0.5, 0.5, 0.5]) == 3
    assert statistics.telling_tasks([0, 1]) == 0


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_shape_of_a_leaderboard(lower_is_better: bool) -> None:
    scores = LEADERBOARD.scores[::-1] if lower_is_better else LEADERBOARD.scores
    shape = leaderboard_shape(Leaderboard(scores, lower_is_better))
    spread = 999 / 2000
    assert shape.gold_to_bronze == pytest.approx(0.088 / spread)
    assert shape.gold_to_median == pytest.approx(0.4885 / spread)
    assert shape.crowding == pytest.approx(17.7, abs=0.2)  # 88 teams to each side of bronze, and the one there
    assert shape.tied == (1, 1, 1)
    assert (shape.quantiles[0], shape.quantiles[-1]) == pytest.approx((scores[-1], scores[0]))


def test_a_leaderboard_of_one_score() -> None:
    shape = leaderboard_shape(Leaderboard((0.5,) * 300, lower_is_better=False))
    assert (shape.gold_to_bronze, shape.gold_to_median, shape.crowding) == (None, None, 100)
    assert shape.tied == (300, 300, 300)


def test_who_has_medals() -> None:
    scores = {"aide": {"a": [0.99, 0.99], "b": [0.4, 0.4], "c": [0.99, 0.4]}}
    summary = summarize(sources_of(make_scores(scores)))
    assert [task.medalists for task in summary.tasks] == ["everybody", "nobody", "some"]
    assert summary.task_set is not None
    found = summary.task_set
    assert (found.competitions, found.nobody, found.everybody, found.telling) == (3, 1, 1, 1)
    assert found.independent is None and "5 agents" in (found.why_not or "")


def test_many_agents_tell_how_many_tasks_are_independent() -> None:
    names = [f"t{number}" for number in range(6)]
    scores = {
        f"agent{skill}": {name: [0.99 if skill > place else 0.4] * 2 for place, name in enumerate(names)}
        for skill in range(7)
    }
    summary = summarize(sources_of(make_scores(scores)))
    assert summary.task_set is not None and summary.task_set.independent is not None
    assert 1 <= summary.task_set.independent < 3
    assert "independent competitions" in TABLES["tasks"](summary).caption


SCORES = {"aide": {"leaf-classification": [0.99, 0.99], "of-my-own": [0.4, 0.99]}}


def test_known_problems_that_touch_a_medal() -> None:
    summary = summarize(sources_of(make_scores(SCORES)), registry=registry)
    leak = next(one for one in summary.problems if one.problem == "leak")
    assert leak.competitions == ("leaf-classification",)
    assert (leak.medals, leak.medals_touched) == (3, 2)
    assert (summary.agents[0].rates[Rate.ANY_MEDAL].mean, leak.any_medal.mean) == (75, 50)
    (row,) = (row for row in TABLES["tasks"](summary).cells if row[0].value == "leaf-classification")
    assert row[-1].text.startswith("⚑ leak")
    assert "⚑" in TABLES["competitions"](summary).cells[0][0].note


def test_tasks_are_never_left_out_silently() -> None:
    summary = summarize(sources_of(make_scores(SCORES)), registry=registry, without=["leak"])
    assert summary.agents[0].competitions == ("of-my-own",)
    assert summary.agents[0].rates[Rate.ANY_MEDAL].mean == 50
    assert dict(summary.left_out) == {"leaf-classification": ("leak",)}
    assert any("1 competition with known problems (leak) left out" in sentence for sentence in summary.caveats)
    assert "without competitions with known problems (leak)" in TABLES["main"](summary).title
    assert [one.counted for one in summary.competitions] == [False, True]


def test_nothing_left() -> None:
    scores = {"aide": {"leaf-classification": [0.99, 0.99]}}
    summary = summarize(sources_of(make_scores(scores)), registry=registry, without=["leak"], pad_missing=True)
    assert summary.agents[0].rates[Rate.ANY_MEDAL].mean is None
    assert summary.task_set is None
    for table in TABLES.values():
        table(summary)


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'leak'"):
        summarize(sources_of(make_scores(SCORES)), without=["leaks"])
