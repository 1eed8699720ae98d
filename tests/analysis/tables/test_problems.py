from __future__ import annotations

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables.problems import describe_touched, problem_table
from mlebench.tasks.registry import registry

from ..records import BELOW, GOLD, make_scores, sources_of


def test_medals_in_competitions_with_a_problem_are_counted() -> None:
    scores = make_scores({"aide": {"leaf-classification": [GOLD], "of-my-own": [GOLD]}})
    summary = summarize(sources_of(scores), registry=registry)
    rows = {row[1].text: row for row in problem_table(summary).cells}
    assert (rows["leak"][2].text, rows["leak"][3].text) == ("1", "1 of 2")
    touched = describe_touched(summary, "aide") or ""
    assert touched.startswith("⚑ of 2 medals in competitions with known problems: ")
    assert "leak 1" in touched


def test_without_a_medal_nothing_is_touched() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"leaf-classification": [BELOW]}})), registry=registry)
    assert describe_touched(summary, "aide") is None
    assert describe_touched(summary, "nobody") is None


def test_without_known_problems_the_table_is_empty() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"of-my-own": [GOLD]}})), registry=registry)
    assert problem_table(summary).cells == ()


def test_without_other_competitions_the_rest_is_a_dash() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"leaf-classification": [GOLD]}})), registry=registry)
    (row,) = (row for row in problem_table(summary).cells if row[1].text == "leak")
    assert (row[-2].text, row[-1].text) == ("100.0", "–")
