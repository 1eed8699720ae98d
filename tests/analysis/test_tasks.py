from __future__ import annotations

import pytest

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tasks import leaderboard_shape
from mlebench.tasks.medals import Leaderboard

from .records import LEADERBOARD, make_scores, sources_of


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
