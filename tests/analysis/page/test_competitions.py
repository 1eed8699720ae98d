from __future__ import annotations

import pytest

from mlebench.analysis.page.competitions import competition_sections, threshold_facts
from mlebench.analysis.summary import summarize

from ..pages import Outline
from ..records import make_group, make_run, make_scores, make_verdict, sources_of


@pytest.mark.parametrize(
    ("lower_is_better", "words"),
    [(False, ("higher is better", "≥ 0.989", "&gt; 0.5005")), (True, ("lower is better", "≤ 0.989", "&lt; 0.5005"))],
)
def test_thresholds_say_which_side_of_them_is_better(lower_is_better: bool, words: tuple[str, ...]) -> None:
    run = make_run("a", verdict=make_verdict("a", lower_is_better=lower_is_better))
    (competition,) = summarize(sources_of(make_group(run))).competitions
    facts = threshold_facts(competition)
    assert [word for word in words if word not in facts] == []


def test_without_a_graded_run_there_are_no_thresholds() -> None:
    (competition,) = summarize(sources_of(make_group(make_run("a")))).competitions
    assert "No run is graded yet." in threshold_facts(competition)


@pytest.mark.parametrize(("leaderboard", "word"), [("human", "1000 teams"), ("models", "1000 models")])
def test_teams_are_called_what_they_are(leaderboard: str, word: str) -> None:
    run = make_run("a", verdict=make_verdict("a", leaderboard=leaderboard))
    (competition,) = summarize(sources_of(make_group(run))).competitions
    assert word in threshold_facts(competition).replace(",", "")


def test_each_competition_has_an_anchor_of_its_own() -> None:
    scores = {"aide": {"a": [0.6], "b": [None]}}
    outline = Outline(competition_sections(summarize(sources_of(make_scores(scores)))))
    assert outline.open == []
    assert [at.get("id") for tag, at in outline.elements if tag == "h3"] == ["competition-0", "competition-1"]
