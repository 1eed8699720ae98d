from __future__ import annotations

import pytest

from mlebench.analysis.page.runs import MAX_RUNS, run_section
from mlebench.analysis.summary import summarize

from ..pages import Outline
from ..records import make_group, make_run, make_scores, make_verdict, sources_of


def test_a_run_links_to_its_page_if_there_is_one() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [0.6, 0.7]}})))
    first, _ = summary.all_runs()
    outline = Outline(run_section(summary, {first.key: "first.html"}))
    assert [at["href"] for tag, at in outline.elements if tag == "a"] == ["first.html"]


@pytest.mark.parametrize(("groups", "is_named"), [(1, False), (2, True)])
def test_groups_are_named_if_there_are_several(groups: int, is_named: bool) -> None:
    made = [make_scores({f"agent{n}": {"a": [0.6]}}, run_group=f"group-{n}") for n in range(groups)]
    assert ("group-0" in run_section(summarize(sources_of(*made)), {})) is is_named


def test_a_rehearsal_is_marked() -> None:
    run = make_run("a", verdict=make_verdict("a", data="rehearsal"))
    assert "above median (rehearsal)" in run_section(summarize(sources_of(make_group(run))), {})


@pytest.mark.parametrize(("runs", "tables"), [(MAX_RUNS, 1), (MAX_RUNS + 1, 0)])
def test_too_many_runs_are_a_note(runs: int, tables: int) -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [0.6]}}))).model_copy(update={"runs": runs})
    assert Outline(run_section(summary, {})).count("table") == tables
