from __future__ import annotations

import json

import pytest

from mlebench.analysis.model import Rate
from mlebench.analysis.page import render_page
from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tables.formats import FORMATS, Format
from mlebench.tasks.registry import registry

from .records import BELOW, GOLD, make_scores, sources_of

VOID, CLOSE = "aerial-cactus-identification", "spaceship-titanic"
SCORES = {"aide": {VOID: [GOLD, GOLD], CLOSE: [BELOW, BELOW]}, "other": {VOID: [BELOW, BELOW], CLOSE: [GOLD, BELOW]}}


def test_a_void_leaderboard_is_left_out_beside_the_full_result():
    summary = summarize(sources_of(make_scores(SCORES)), registry=registry)
    assert summary.headline is not None
    assert summary.headline.left_out == (VOID,)
    full, rest = (
        [agent.rates[Rate.ANY_MEDAL].mean for agent in agents] for agents in (summary.agents, summary.headline.agents)
    )
    assert (full, rest) == ([50, 25], [0, 50])
    assert [agent.competitions for agent in summary.headline.agents] == [(CLOSE,), (CLOSE,)]


def test_page_markdown_and_json_name_what_is_left_out():
    summary = summarize(sources_of(make_scores(SCORES)), registry=registry)
    words = f"Left out: {VOID}."
    assert words in render_page(summary)
    assert words in FORMATS[Format.MARKDOWN](TABLES["headline"](summary))
    assert json.loads(summary.model_dump_json())["headline"]["left_out"] == [VOID]
    assert words not in TABLES["main"](summary).caption


@pytest.mark.parametrize("scores", [{"aide": {CLOSE: [GOLD]}}, {"aide": {"of-my-own": [GOLD]}}])
def test_without_such_a_leaderboard_there_is_no_second_result(scores):
    summary = summarize(sources_of(make_scores(scores)), registry=registry)
    assert summary.headline is None
    assert TABLES["headline"](summary).rows == ()
    assert "Left out" not in render_page(summary)


def test_an_agent_with_nothing_else_has_no_result():
    summary = summarize(sources_of(make_scores({"aide": {VOID: [GOLD]}})), registry=registry)
    assert summary.headline is not None
    assert summary.headline.agents[0].rates[Rate.ANY_MEDAL].mean is None


def test_missing_runs_of_a_split_count_as_failures_in_both():
    sources = sources_of(make_scores({"aide": {CLOSE: [GOLD]}}))
    summary = summarize(sources, registry=registry, competitions=[VOID, CLOSE, "leaf-classification"], pad_missing=True)
    assert summary.headline is not None
    assert summary.headline.left_out == (VOID, "leaf-classification")
    assert summary.headline.agents[0].rates[Rate.ANY_MEDAL].mean == 100
