from __future__ import annotations

import pytest

from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.errors import UnknownNameError
from mlebench.tasks.registry import registry

from .records import make_scores, sources_of

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
