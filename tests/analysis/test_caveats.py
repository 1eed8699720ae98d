from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mlebench.analysis.summary import summarize
from mlebench.grading.reports import Outcome
from mlebench.sandbox.base import GUARANTEES
from mlebench.tasks.registry import Registry

from .records import ABOVE, BELOW, GOLD, has_caveat, make_group, make_run, make_scores, make_verdict, sources_of

VERDICT = make_verdict()


GROUP = make_group(make_run(verdict=VERDICT))


MODELS: dict[str, Any] = {
    "names": ("gpt",),
    "mode": "live",
    "requests": None,
    "tokens": None,
    "money": None,
    "hosted_tools": False,
    "config": "0",
}
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
    assert has_caveat(summarize(sources_of(make_group(make_run(verdict=make_verdict(**verdict))))), words)


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ({"guarantees": dict.fromkeys(GUARANTEES, False)}, "without isolation"),
        ({"guarantees": {}}, "without isolation"),
        ({"guarantees": {"answers": True, "host_files": False}}, "did not protect host files"),
        ({"plan": {"models": MODELS | {"hosted_tools": True}}}, "could use tools at the models' providers"),
        (
            {"plan": {"models": MODELS | {"allowed_fields": {"one": ("b", "a")}}}},
            "refuses unless they are allowed: a, b",
        ),
        ({"plan": {"network": "open"}}, "network was open"),
        ({"plan": {"network": "open"}, "guarantees": {"answers": True, "network": False}}, "network was open"),
    ],
)
def test_caveats_of_groups(group: dict[str, Any], words: str) -> None:
    assert has_caveat(summarize(sources_of(make_group(make_run(verdict=VERDICT), **group))), words)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({}, "different competitions"),
        ({"mlebench_version": "0.2.0"}, "mix versions of mlebench: 0.1.0, 0.2.0"),
        ({"plan": {"limits": MINUTE}}, "different limits"),
        ({"plan": {"obfuscated": True}}, "mix briefs"),
        ({"plan": {"network": "open"}}, "mix networks: closed, open"),
        ({"enforcement": "polling"}, "mix ways to enforce limits on memory: cgroup v2, polling"),
    ],
)
def test_caveats_of_mixtures(other: dict[str, Any], words: str) -> None:
    summary = summarize(sources_of(GROUP, make_scores({"other": {"another": [0.5]}}, **other)))
    assert has_caveat(summary, words)
    assert all(sentence.endswith(".") for sentence in summary.caveats)


def test_a_sound_group_needs_no_caveat() -> None:
    assert summarize(sources_of(make_scores({"aide": {"a": [GOLD, BELOW, ABOVE]}}))).caveats == ()


def test_caveats_have_no_control_characters() -> None:
    hostile = "\x1b[31m\u202e"
    group = make_group(make_run("a", hostile), make_run("a", "b", verdict=make_verdict("a")), run_group=hostile)
    assert summarize(sources_of(group)).caveats
    assert all(sentence.isprintable() for sentence in summarize(sources_of(group)).caveats)


def test_a_version_without_a_record_is_not_verified_on_real_data() -> None:
    runs = [
        make_run("spaceship-titanic", verdict=make_verdict()),
        make_run("leaf-classification", verdict=make_verdict("leaf-classification", version="v2")),
        make_run(
            "nomad2018-predict-transparent-conductors",
            verdict=make_verdict("nomad2018-predict-transparent-conductors", version="v2", data="rehearsal"),
        ),
    ]
    summary = summarize(sources_of(make_group(*runs)), registry=Registry())
    assert has_caveat(summary, "v2 of 1 competition is not yet verified on real data: leaf-classification.")
