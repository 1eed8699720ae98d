from __future__ import annotations

import math
from datetime import timedelta

import pytest

from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize

from .records import (
    BELOW,
    GOLD,
    START,
    has_caveat,
    make_group,
    make_run,
    make_scores,
    make_verdict,
    sources_of,
)


def test_nothing_run() -> None:
    for groups in ([], [make_group()]):
        summary = summarize(sources_of(*groups))
        assert summary.runs == 0
        assert summary.basis == "results"
        assert summary.caveats == ("There are no runs.",)


def test_nothing_finished() -> None:
    summary = summarize(sources_of(make_group(make_run(), make_run(seed=1))))
    (agent,) = summary.agents
    assert agent.rates[Rate.VALID].mean is None
    assert agent.seeds_counted == ()
    assert summary.competitions[0].thresholds is None
    assert has_caveat(summary, "has no finished run that counts")


def test_rehearsal_alone_is_shown_as_rehearsal() -> None:
    summary = summarize(sources_of(make_group(make_run(verdict=make_verdict(score=GOLD, data="rehearsal")))))
    assert (summary.basis, summary.runs_finished, summary.runs_counted) == ("rehearsal", 1, 0)
    assert summary.agents[0].rates[Rate.GOLD].mean == 100
    assert summary.caveats[0].startswith("Rehearsal: ")


def test_rehearsal_among_results_stays_out_of_the_means() -> None:
    group = make_group(
        make_run("a", verdict=make_verdict("a", GOLD)),
        make_run("b", verdict=make_verdict("b", BELOW, data="rehearsal")),
    )
    summary = summarize(sources_of(group))
    assert summary.basis == "results"
    assert summary.agents[0].competitions == ("a",)
    assert summary.agents[0].rates[Rate.GOLD].per_seed == (100,)
    assert [competition.counted for competition in summary.competitions] == [True, False]
    assert has_caveat(summary, "1 run on rehearsal data: never a result")


def test_rehearsal_and_results_in_one_competition() -> None:
    """A seed that was only rehearsed is no result, and so the seed is not complete."""
    group = make_group(
        make_run("a", seed=0, verdict=make_verdict("a", GOLD)),
        make_run("a", seed=1, verdict=make_verdict("a", GOLD, data="rehearsal")),
    )
    assert summarize(sources_of(group)).agents[0].seeds_counted == (0,)


def test_scores_of_a_cell() -> None:
    for lower, best in ((False, 0.6), (True, 0.2)):
        runs = [
            make_run("a", seed=seed, verdict=make_verdict("a", score, lower_is_better=lower))
            for seed, score in enumerate([0.6, 0.2, math.nan, None, math.inf])
        ]
        summary = summarize(sources_of(make_group(*runs)))
        (cell,) = summary.competitions[0].cells
        assert cell.score.per_seed == (0.6, 0.2)
        assert cell.score.mean == pytest.approx(0.4)
        assert cell.best_score == best
        assert [run.seed for run in cell.runs] == [0, 1, 2, 3, 4]


def test_groups_are_taken_together_by_seed() -> None:
    first = make_scores({"aide": {"a": [GOLD]}}, run_group="first")
    second = make_scores({"aide": {"b": [BELOW]}}, run_group="second")
    (agent,) = summarize(sources_of(first, second)).agents
    assert (agent.seeds_counted, agent.rates[Rate.GOLD].per_seed) == ((0,), (50,))


def test_repeated_seeds_are_renumbered() -> None:
    first = make_scores({"aide": {"a": [GOLD, GOLD]}}, run_group="first")
    later = START + timedelta(days=1)
    second = make_scores({"aide": {"a": [BELOW, BELOW]}}, run_group="second", created_at=later)
    summary = summarize(sources_of(second, first))
    (agent,) = summary.agents
    assert agent.seeds == (0, 1, 2, 3)
    assert agent.rates[Rate.GOLD].per_seed == (100, 100, 0, 0)
    assert has_caveat(summary, "count as new seeds")


def test_versions_of_a_competition_stay_apart() -> None:
    runs = [
        make_run("a", verdict=make_verdict("a", version=version), run_id=f"a{at}_aide_seed-0")
        for version, at in (("v1", ""), ("v2", "@v2"))
    ]
    summary = summarize(sources_of(make_group(*runs)))
    assert [competition.competition for competition in summary.competitions] == ["a", "a@v2"]
    assert has_caveat(summary, "mix competition versions: v1, v2")
