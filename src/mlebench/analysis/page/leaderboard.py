"""Plots as SVG: the ranks of runs on a leaderboard, and the values of a rate over seeds.

Positions are percentages, so a plot fills the available width and its circles stay round.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from mlebench.analysis.outcomes import mark_of
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.wording import format_score
from mlebench.ground.wording import format_ordinal
from mlebench.tasks.medals import medal_positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mlebench.analysis.model import Estimate, RunResult

MARGIN = 2.0
"""Free space on both sides for circles at the ends, in percent of the width."""


def place_on_scale(place: float, teams: int) -> float:
    """Return the horizontal position of a place, in percent: the last place is on the left, the first on the right.

    The scale is logarithmic: medals go to the first tenth of the teams, so gold would be a hairline on a linear scale.
    """
    if teams < 2:
        return 50.0
    fraction = math.log(min(max(place, 1), teams)) / math.log(teams)
    return MARGIN + (100 - 2 * MARGIN) * (1 - fraction)


class Band(NamedTuple):
    """A range of places on the scale."""

    name: str
    left: float
    """In percent of the width."""
    width: float


def bands(teams: int) -> Iterator[Band]:
    """Yield the bands of medals, and those above and below the median, from left to right.

    An edge is half-way between the last place inside and the first outside.
    """
    gold, silver, bronze = medal_positions(teams)
    left = 0.0
    for name, outside in (("below", teams / 2), ("above", bronze), ("bronze", silver), ("silver", gold)):
        edge = max(left, place_on_scale(outside + 0.5, teams))
        if edge > left:
            yield Band(name, left, edge - left)
        left = edge
    if left < 100:
        yield Band("gold", left, 100 - left)


def leaderboard_strip(runs: Sequence[RunResult], teams: int) -> Html:
    """Return the plot of one agent's runs on the leaderboard of one competition."""
    ranked = [run for run in runs if run.rank is not None]
    circles = join(
        tag(
            "circle",
            cx=f"{place_on_scale(run.rank or 1, teams):.2f}%",
            # Runs with the same rank do not hide each other.
            cy=f"{50 + 22 * (index - (len(ranked) - 1) / 2) / max(len(ranked) - 1, 1):.1f}%",
            r=4.5,
        )
        for index, run in enumerate(ranked)
    )
    rectangles = join(
        tag("rect", x=f"{band.left:.2f}%", y=0, width=f"{band.width:.2f}%", height="100%", class_=f"band {band.name}")
        for band in bands(teams)
    )
    return tag("svg", rectangles, circles, role="img", aria_label=_describe(ranked, teams), class_="strip")


def _describe(ranked: Sequence[RunResult], teams: int) -> str:
    if not ranked:
        return "No run has a rank on the leaderboard."
    return "; ".join(
        f"seed {run.seed}: {format_ordinal(run.rank or 0)} of {teams}, {mark_of(run).meaning}" for run in ranked
    )


def leaderboard_axis(teams: int) -> Html:
    """Return the axis below the strips: places 1, 10, 100 and so on, and the last."""
    places = [10**exponent for exponent in range(len(str(teams)))]
    if teams / places[-1] >= 3:
        places.append(teams)
    labels = join(tag("text", str(place), x=f"{place_on_scale(place, teams):.2f}%", y="0.9em") for place in places)
    return tag("svg", labels, aria_hidden="true", class_="axis")


def rate_plot(estimate: Estimate) -> Html:
    """Return a scale from 0 to 100 %, with the mean ± its standard error as a line and each seed as a circle."""
    mean, error = estimate.mean or 0.0, estimate.sem or 0.0

    def position(percent: float) -> str:
        return f"{MARGIN + (100 - 2 * MARGIN) * min(max(percent, 0), 100) / 100:.2f}%"

    return tag(
        "svg",
        tag("line", x1=position(0), x2=position(100), y1="50%", y2="50%", class_="scale"),
        tag("line", x1=position(mean - error), x2=position(mean + error), y1="50%", y2="50%", class_="error"),
        join(tag("circle", cx=position(value), cy="50%", r=2.5) for value in estimate.per_seed),
        tag("line", x1=position(mean), x2=position(mean), y1="10%", y2="90%", class_="mean"),
        aria_hidden="true",
        class_="rate",
    )


def seed_scores(runs: Sequence[RunResult]) -> str:
    """Return the score of each seed, or the symbol of its outcome if it has none."""
    return "  ".join(format_score(run.score, 5) if run.valid else mark_of(run).symbol for run in runs)
