from __future__ import annotations

import pytest

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables.tasks import task_table
from mlebench.tasks.registry import registry

from ..records import BELOW, GOLD, make_group, make_run, make_scores, sources_of


@pytest.mark.parametrize(("score", "flag"), [(GOLD, "⚑ leak"), (BELOW, "leak")])
def test_known_problems_are_flagged_where_there_is_a_medal(score: float, flag: str) -> None:
    scores = make_scores({"aide": {"leaf-classification": [score]}})
    (row,) = task_table(summarize(sources_of(scores), registry=registry)).cells
    assert row[-1].text.startswith(flag)


def test_a_leaderboard_that_is_unknown_here_has_dashes() -> None:
    (row,) = task_table(summarize(sources_of(make_scores({"aide": {"of-my-own": [GOLD]}})))).cells
    assert [cell.text for cell in row[1:5]] == ["–"] * 4
    assert [cell.text for cell in row[5:7]] == ["1", "1"]
    assert row[8].text == "–"


def test_the_fit_of_the_leaderboard_stands_beside_the_known_problems() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"leaf-classification": [GOLD]}})), registry=registry)
    assert [column.name for column in task_table(summary).columns][-2:] == ["fit", "problems"]
    assert task_table(summary).cells[0][-2].text == "void"


def test_without_a_run_that_counts_the_caption_says_so() -> None:
    assert task_table(summarize(sources_of(make_group(make_run())))).caption.endswith("No run counts.")


def test_few_agents_cannot_tell_how_many_tasks_are_independent() -> None:
    caption = task_table(summarize(sources_of(make_scores({"aide": {"a": [GOLD], "b": [BELOW]}})))).caption
    assert "Of 2 competitions, 1 have no medal and 1 have one in every run" in caption
    assert "The number of independent competitions is unknown." in caption
