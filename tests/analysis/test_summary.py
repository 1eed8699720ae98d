from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from mlebench.analysis.model import Rate, Summary
from mlebench.analysis.results import collect_runs
from mlebench.analysis.summary import summarize
from mlebench.grading.reports import Outcome
from mlebench.runs.record import Status
from mlebench.sandbox.base import GUARANTEES
from mlebench.sandbox.ending import Ending, Reason
from mlebench.tasks.medals import Medal

from .records import START, make_group, make_run, make_scores, make_verdict, sources_of

GOLD, SILVER, BRONZE, ABOVE, MEDIAN, BELOW = 0.99, 0.96, 0.91, 0.6, 0.5005, 0.4


def said(summary: Summary, words: str) -> bool:
    return any(words in sentence for sentence in summary.caveats)


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


def test_one_seed_has_no_error() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [GOLD]}})))
    estimate = summary.agents[0].rates[Rate.GOLD]
    assert (estimate.mean, estimate.sem) == (100, None)
    assert said(summary, "no standard error")


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
    assert said(summary, "1 run of 4 not finished: b_aide_seed-1")
    assert said(summary, "over the 1 seed (of 2)")


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
    assert said(summary, "no seed with every competition finished")


def test_planned_runs_without_a_record_are_missing() -> None:
    group = make_group(make_run("a", verdict=make_verdict("a")), plan={"competitions": ("a", "b@v2"), "seeds": 2})
    runs = collect_runs(sources_of(group))
    assert sorted(run.run_id for run in runs if not run.finished) == [
        "a_aide_seed-1",
        "b@v2_aide_seed-0",
        "b@v2_aide_seed-1",
    ]


@pytest.mark.parametrize("reason", [Reason.STOPPED, Reason.HARNESS])
def test_runs_that_count_as_not_made(reason: Reason) -> None:
    ending = Ending(reason=reason, exit_code=None, seconds=3.0, detail="", peak_memory=None)
    (run,) = collect_runs(sources_of(make_group(make_run(verdict=make_verdict(score=GOLD), ending=ending))))
    assert (run.finished, run.medal, run.outcome, run.ending) == (False, None, None, reason)
    assert run.reason
    assert "does not count" in run.reason


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
    assert said(summary, "has no finished run that counts")


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
    assert said(summary, "1 run on rehearsal data: never a result")


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


def test_report_is_json_that_can_be_read_back() -> None:
    group = make_scores({"aide": {"a": [GOLD, math.nan, math.inf, None]}})
    text = summarize(sources_of(group)).model_dump_json()

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    data = json.loads(text, parse_constant=refuse)
    assert data["format_version"] == 1
    assert data["agents"][0]["rates"]["gold"]["per_seed"][0] == 100
    again = Summary.model_validate_json(text)
    assert again.competitions[0].cells[0].runs[0].medal is Medal.GOLD
    assert again.model_dump_json() == text
    assert Summary.model_json_schema()["properties"]["format_version"]


def test_groups_are_taken_together_by_seed() -> None:
    first = make_scores({"aide": {"a": [GOLD]}}, run_group="first")
    second = make_scores({"aide": {"b": [BELOW]}}, run_group="second")
    (agent,) = summarize(sources_of(first, second)).agents
    assert (agent.seeds_counted, agent.rates[Rate.GOLD].per_seed) == ((0,), (50,))


def test_repetitions_are_numbered_on() -> None:
    first = make_scores({"aide": {"a": [GOLD, GOLD]}}, run_group="first")
    later = START + timedelta(days=1)
    second = make_scores({"aide": {"a": [BELOW, BELOW]}}, run_group="second", created_at=later)
    summary = summarize(sources_of(second, first))
    (agent,) = summary.agents
    assert agent.seeds == (0, 1, 2, 3)
    assert agent.rates[Rate.GOLD].per_seed == (100, 100, 0, 0)
    assert said(summary, "count as new seeds")


def test_versions_of_a_competition_stay_apart() -> None:
    runs = [
        make_run("a", verdict=make_verdict("a", version=version), run_id=f"a{at}_aide_seed-0")
        for version, at in (("v1", ""), ("v2", "@v2"))
    ]
    summary = summarize(sources_of(make_group(*runs)))
    assert [competition.competition for competition in summary.competitions] == ["a", "a@v2"]
    assert said(summary, "mix competition versions: v1, v2")


VERDICT = make_verdict()
GROUP = make_group(make_run(verdict=VERDICT))
MINUTE = replace(GROUP.plan.limits, seconds=60)


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        ({"leaderboard": "models"}, "consists of models, not of people"),
        ({"data": "unverified"}, "not checked against the recorded checksums"),
        ({"data": "unknown"}, "unknown origin"),
        ({"score": None, "outcome": Outcome.FAILED}, "Grading failed for 1 run"),
    ],
)
def test_caveats_of_verdicts(verdict: dict[str, Any], words: str) -> None:
    assert said(summarize(sources_of(make_group(make_run(verdict=make_verdict(**verdict))))), words)


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ({"guarantees": dict.fromkeys(GUARANTEES, False)}, "without isolation"),
        ({"guarantees": {}}, "without isolation"),
        ({"guarantees": {"answers": True, "host_files": False}}, "did not protect host files"),
        ({"plan": {"network": "open"}}, "network was open"),
        ({"plan": {"network": "open"}, "guarantees": {"answers": True, "network": False}}, "network was open"),
    ],
)
def test_caveats_of_groups(group: dict[str, Any], words: str) -> None:
    assert said(summarize(sources_of(make_group(make_run(verdict=VERDICT), **group))), words)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({}, "different competitions"),
        ({"mlebench_version": "0.2.0"}, "mix versions of mlebench: 0.1.0, 0.2.0"),
        ({"plan": {"limits": MINUTE}}, "different limits"),
        ({"plan": {"obfuscated": True}}, "mix briefs"),
        ({"plan": {"network": "open"}}, "mix networks: closed, open"),
    ],
)
def test_caveats_of_mixtures(other: dict[str, Any], words: str) -> None:
    summary = summarize(sources_of(GROUP, make_scores({"other": {"another": [0.5]}}, **other)))
    assert said(summary, words)
    assert all(sentence.endswith(".") for sentence in summary.caveats)


def test_a_sound_group_needs_no_caveat() -> None:
    assert summarize(sources_of(make_scores({"aide": {"a": [GOLD, BELOW, ABOVE]}}))).caveats == ()


def test_caveats_hold_no_commands_for_the_terminal() -> None:
    hostile = "\x1b[31m\u202e"
    group = make_group(make_run("a", hostile), make_run("a", "b", verdict=make_verdict("a")), run_group=hostile)
    assert summarize(sources_of(group)).caveats
    assert all(sentence.isprintable() for sentence in summarize(sources_of(group)).caveats)
