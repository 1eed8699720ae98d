from __future__ import annotations

import pytest

from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize
from mlebench.grading.reports import Outcome
from mlebench.runs.record import Status

from .records import (
    ABOVE,
    BELOW,
    BRONZE,
    GOLD,
    MEDIAN,
    SILVER,
    has_caveat,
    make_group,
    make_run,
    make_scores,
    make_verdict,
    sources_of,
)


def test_seven_columns() -> None:
    group = make_scores(
        {
            "aide": {
                "a": [GOLD, SILVER, BRONZE],
                "b": [ABOVE, MEDIAN, BELOW],
                "c": [None, BELOW, BELOW],
                "d": [BRONZE, BRONZE, ABOVE],
            }
        }
    )
    (agent,) = summarize(sources_of(group)).agents
    assert {rate: estimate.per_seed for rate, estimate in agent.rates.items()} == {
        Rate.SUBMITTED: (100, 100, 100),
        Rate.VALID: (75, 100, 100),
        Rate.ABOVE_MEDIAN: (75, 50, 50),  # the median itself is not above
        Rate.BRONZE: (25, 25, 25),
        Rate.SILVER: (0, 25, 0),
        Rate.GOLD: (25, 0, 0),
        Rate.ANY_MEDAL: (50, 50, 25),
    }
    assert agent.rates[Rate.ANY_MEDAL].mean == pytest.approx(125 / 3)
    assert agent.rates[Rate.ANY_MEDAL].sem == pytest.approx(25 / 3)
    assert (agent.rule, agent.seeds_counted, agent.competitions) == (
        "complete seeds",
        (0, 1, 2),
        tuple("abcd"),
    )
    assert (agent.runs, agent.runs_finished, agent.runs_missing) == (12, 12, 0)


def test_missing_submission_is_not_submitted() -> None:
    verdict = make_verdict(score=None, outcome=Outcome.MISSING)
    (agent,) = summarize(sources_of(make_group(make_run(verdict=verdict)))).agents
    assert agent.rates[Rate.SUBMITTED].mean == 0


def test_only_complete_seeds_count() -> None:
    group = make_group(
        make_run("a", seed=0, verdict=make_verdict("a", GOLD)),
        make_run("b", seed=0, verdict=make_verdict("b", GOLD)),
        make_run("a", seed=1, verdict=make_verdict("a", BELOW)),
        make_run("b", seed=1, status=Status.RUNNING),
    )
    summary = summarize(sources_of(group))
    (agent,) = summary.agents
    assert (agent.rule, agent.seeds_counted, agent.runs_missing) == ("complete seeds", (0,), 1)
    assert agent.rates[Rate.GOLD].per_seed == (100,)
    assert has_caveat(summary, "1 run of 4 not finished: b_aide_seed-1")
    assert has_caveat(summary, "over the 1 seed (of 2)")


def test_without_a_complete_seed_all_begun_seeds_count() -> None:
    group = make_group(
        make_run("a", seed=0, verdict=make_verdict("a", GOLD)),
        make_run("b", seed=0, status=Status.ENDED),
        make_run("a", seed=1),
        make_run("b", seed=1),
    )
    summary = summarize(sources_of(group))
    (agent,) = summary.agents
    assert (agent.rule, agent.seeds_counted) == ("all seeds", (0,))
    assert agent.rates[Rate.GOLD].per_seed == (50,)
    assert agent.rates[Rate.SUBMITTED].per_seed == (50,)
    assert has_caveat(summary, "no seed with every competition finished")
