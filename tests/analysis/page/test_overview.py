from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.page.overview import caveat_box, header, main_section, page_title
from mlebench.analysis.summary import summarize
from mlebench.runs.record import Status

from ..records import GOLD, make_group, make_run, make_scores, make_verdict, sources_of

if TYPE_CHECKING:
    from mlebench.runs.record import GroupRecord

PART_DONE = make_group(make_run("a", verdict=make_verdict("a")), make_run("a", seed=1, status=Status.RUNNING))
REHEARSED = make_group(make_run("a", verdict=make_verdict("a", data="rehearsal")))
MIXED = make_group(
    make_run("a", verdict=make_verdict("a")), make_run("a", seed=1, verdict=make_verdict("a", data="rehearsal"))
)


@pytest.mark.parametrize(
    ("names", "title"), [([], "No runs"), (["one"], "one"), (["one", "two", "three"], "one and 2 more sources")]
)
def test_the_title_names_the_first_source(names: list[str], title: str) -> None:
    groups = [make_scores({f"agent-{name}": {"a": [GOLD]}}, run_group=name) for name in names]
    assert page_title(summarize(sources_of(*groups))) == title


@pytest.mark.parametrize(
    ("groups", "lead"),
    [
        ([], "There are no runs."),
        ([make_group(make_run("a"))], "1 run, not finished."),
        ([make_scores({"aide": {"a": [GOLD]}})], "1 agent in 1 competition with 1 seed: 1 run, finished."),
        ([make_scores({"aide": {"a": [GOLD, GOLD]}})], "2 runs, all of them finished."),
        ([PART_DONE], "2 runs, 1 of them finished."),
        ([REHEARSED], "1 run, finished; none counts as a result."),
        ([MIXED], "2 runs, all of them finished; 1 run counts as a result."),
    ],
)
def test_the_lead_says_what_ran_and_what_counts(groups: list[GroupRecord], lead: str) -> None:
    sources = sources_of(*groups)
    assert lead in header(summarize(sources), sources.groups)


def test_facts_that_groups_share_are_shown_once() -> None:
    groups = [make_scores({name: {"a": [GOLD]}}, run_group=name, machine="a laptop") for name in ("one", "two")]
    sources = sources_of(*groups)
    assert header(summarize(sources), sources.groups).count("a laptop") == 1


def test_without_caveats_there_is_no_box() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [GOLD]}})))
    assert caveat_box(summary.model_copy(update={"caveats": ()})) is None
    assert "no standard error" in (caveat_box(summary) or "")


@pytest.mark.parametrize(
    ("group", "words"),
    [
        (make_scores({"aide": {"a": [GOLD]}}), "seeds in which every competition is finished."),
        (make_group(make_run("a", verdict=make_verdict("a")), make_run("b")), "No seed is complete"),
        (REHEARSED, "Rehearsal, not a result."),
    ],
)
def test_results_say_which_seeds_count(group: GroupRecord, words: str) -> None:
    assert words in main_section(summarize(sources_of(group)))


@pytest.mark.parametrize(("enforcement", "by"), [("cgroup v2", "the kernel"), ("polling", "the harness"), (None, None)])
def test_the_header_says_who_limits_memory(enforcement: str | None, by: str | None) -> None:
    sources = sources_of(make_scores({"aide": {"a": [GOLD]}}, enforcement=enforcement))
    shown = header(summarize(sources), sources.groups)
    assert (f"<dt>Memory limited by</dt><dd>{by}</dd>" in shown) == (by is not None)
    assert ("Memory limited by" in shown) == (by is not None)
