from __future__ import annotations

from mlebench.analysis.page.medals import medal_section
from mlebench.analysis.summary import summarize
from mlebench.tasks.registry import registry

from ..pages import Outline
from ..records import GOLD, hostile_group, make_scores, sources_of


def test_each_agent_and_seed_is_a_column() -> None:
    groups = make_scores({"aide": {"a": [0.6] * 3}}), make_scores({"mlab": {"a": [0.4]}}, run_group="second")
    section = medal_section(summarize(sources_of(*groups)), {})
    heads = [at for tag, at in Outline(section).elements if tag == "th"]
    assert [at["colspan"] for at in heads if at.get("scope") == "colgroup"] == ["3", "1"]
    assert [at["title"] for at in heads if at.get("scope") == "col" and at.get("title")] == [
        "seed 0",
        "seed 1",
        "seed 2",
        "seed 0",
    ]


def test_a_competition_that_an_agent_does_not_have_is_not_planned() -> None:
    groups = make_scores({"aide": {"a": [0.6]}}), make_scores({"mlab": {"b": [0.4]}}, run_group="second")
    section = medal_section(summarize(sources_of(*groups)), {})
    assert section.count("not planned") == 2


def test_a_run_links_to_its_page_and_says_its_rank() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [GOLD, None]}})))
    first, _ = summary.all_runs()
    outline = Outline(medal_section(summary, {first.key: "first.html"}))
    titles = [at["title"] for tag, at in outline.elements if tag == "td"]
    assert titles == ["aide, seed 0: gold, score 0.99, 11th of 1000", "aide, seed 1: invalid submission"]
    assert "first.html" in [at["href"] for tag, at in outline.elements if tag == "a"]


def test_known_problems_are_shown_where_they_touch_a_medal() -> None:
    for score, is_shown in ((GOLD, True), (0.4, False)):
        scores = make_scores({"aide": {"leaf-classification": [score]}})
        assert ("⚑" in medal_section(summarize(sources_of(scores), registry=registry), {})) is is_shown


def test_hostile_names_are_text() -> None:
    outline = Outline(medal_section(summarize(sources_of(hostile_group())), {}))
    assert outline.open == []
    assert outline.count("script") == 0
