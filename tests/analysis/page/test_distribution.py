from __future__ import annotations

import math

import pytest

from mlebench.analysis.model import LeaderboardShape
from mlebench.analysis.page.distribution import LEFT, RIGHT, WIDTH, distribution
from mlebench.analysis.summary import summarize

from ..pages import Outline
from ..records import LEADERBOARD, make_scores, sources_of


def make_shape(*quantiles: float) -> LeaderboardShape:
    """Make the shape of a leaderboard with these scores, the worst first."""
    return LeaderboardShape(gold_to_bronze=1, gold_to_median=1, crowding=1, tied=(1, 1, 1), quantiles=quantiles)


def circles(scores: list[float | None], shape: LeaderboardShape) -> list[float]:
    """Return the horizontal places of runs with these scores."""
    (competition,) = summarize(sources_of(make_scores({"aide": {"a": scores}}))).competitions
    plot = distribution(competition, shape)
    assert plot is not None
    return [float(at["cx"] or "nan") for tag, at in Outline(plot).elements if tag == "circle"]


@pytest.mark.parametrize(
    "quantiles", [(0.5, 0.5, 0.5), (0.0, math.inf), (math.nan, 0.5, math.nan), (0.0, 1.0, 1.0, 1.0, 1.0, 1.0)]
)
def test_scores_that_do_not_differ_or_are_not_finite_have_no_plot(quantiles: tuple[float, ...]) -> None:
    (competition,) = summarize(sources_of(make_scores({"aide": {"a": [0.6]}}))).competitions
    assert distribution(competition, make_shape(*quantiles)) is None


@pytest.mark.parametrize(("score", "place"), [(1.0, WIDTH - RIGHT), (5.0, WIDTH - RIGHT), (-5.0, LEFT), (0.2, LEFT)])
def test_runs_beyond_the_edges_are_on_the_edges(score: float, place: float) -> None:
    assert circles([score], make_shape(*(n / 10 for n in range(11)))) == [place]


def test_runs_without_a_score_are_left_out() -> None:
    assert len(circles([0.6, None, math.nan], make_shape(*sorted(LEADERBOARD.scores)))) == 1


def test_better_scores_are_on_the_right_even_if_lower_is_better() -> None:
    falling = make_shape(*(1 - n / 10 for n in range(11)))
    left, right = circles([0.6, 0.2], falling)
    assert left < right
