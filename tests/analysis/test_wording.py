from __future__ import annotations

import math

import pytest

from mlebench.analysis.model import Estimate
from mlebench.analysis.summary import summarize
from mlebench.analysis.wording import describe_extent, format_estimate, format_score, format_time
from mlebench.runs.record import Status

from .records import BELOW, GOLD, make_group, make_run, make_verdict, sources_of


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (None, "–"),
        (math.nan, "NaN"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (0.0, "0"),
        (-0.5, "−0.5"),
        (0.1234567, "0.123457"),
        (1234567.0, "1234567"),
        (1e9, "1e+09"),
        (-1e-7, "−1e-07"),
    ],
)
def test_scores_are_short_and_exact_enough(score: float | None, text: str) -> None:
    assert format_score(score) == text


@pytest.mark.parametrize(
    ("mean", "sem", "text"),
    [(None, None, "–"), (50.0, None, "50.0"), (50.04, 1.25, "50.0 ± 1.2"), (0.0, 0.0, "0.0 ± 0.0")],
)
def test_an_estimate_is_shown_with_the_error_that_it_has(mean: float | None, sem: float | None, text: str) -> None:
    assert format_estimate(Estimate(per_seed=(), mean=mean, sem=sem)) == text


@pytest.mark.parametrize("seconds", [None, math.nan, math.inf])
def test_an_unknown_time_is_a_dash(seconds: float | None) -> None:
    assert format_time(seconds) == "–"


def test_the_extent_says_how_many_seeds_count_and_what_is_missing() -> None:
    group = make_group(
        make_run("a", seed=0, verdict=make_verdict("a", GOLD)),
        make_run("b", seed=0, verdict=make_verdict("b", BELOW)),
        make_run("a", seed=1, verdict=make_verdict("a", GOLD)),
        make_run("b", seed=1, status=Status.RUNNING),
    )
    (agent,) = summarize(sources_of(group)).agents
    assert describe_extent(agent) == "1 of 2 seeds × 2 competitions, 1 run missing"
