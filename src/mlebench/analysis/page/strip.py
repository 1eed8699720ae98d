"""Drawings in SVG: where runs land on a leaderboard, and how a rate varies over seeds.

Positions are percentages, so that a drawing fills the width it is given and its circles stay round.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mlebench.analysis.marks import mark_of
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.wording import score_text
from mlebench.ground.wording import format_ordinal
from mlebench.tasks.medals import medal_positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mlebench.analysis.estimates import Estimate
    from mlebench.analysis.results import RunResult

MARGIN = 2.0
"""Percent of the width kept free on both sides, for circles at the ends."""


def place_on_scale(place: float, teams: int) -> float:
    """Return how far to the right a place stands, in percent: the last at the left, the first at the right.

    The scale is logarithmic in the place, since medals are decided among the first tenth: on a linear scale
    gold would be a hairline.
    """
    if teams < 2:
        return 50.0
    fraction = math.log(min(max(place, 1), teams)) / math.log(teams)
    return MARGIN + (100 - 2 * MARGIN) * (1 - fraction)


def bands(teams: int) -> Iterator[tuple[str, float, float]]:
    """Yield name, left edge and width of each medal's range and of the ranges around the median, in percent.

    An edge lies half-way between the last place inside and the first outside.
    """
    gold, silver, bronze = medal_positions(teams)
    left = 0.0
    for name, outside in (("below", teams / 2), ("above", bronze), ("bronze", silver), ("silver", gold)):
        edge = max(left, place_on_scale(outside + 0.5, teams))
        if edge > left:
            yield name, left, edge - left
        left = edge
    if left < 100:
        yield "gold", left, 100 - left


def strip(runs: Sequence[RunResult], teams: int) -> Html:
    """Return the drawing of one agent's runs on the leaderboard of one competition."""
    placed = [run for run in runs if run.rank is not None]
    circles = join(
        tag(
            "circle",
            cx=f"{place_on_scale(run.rank or 1, teams):.2f}%",
            # Runs of equal rank would hide each other on one line.
            cy=f"{50 + 22 * (index - (len(placed) - 1) / 2) / max(len(placed) - 1, 1):.1f}%",
            r=4.5,
        )
        for index, run in enumerate(placed)
    )
    rectangles = join(
        tag("rect", x=f"{left:.2f}%", y=0, width=f"{width:.2f}%", height="100%", class_=f"band {name}")
        for name, left, width in bands(teams)
    )
    return tag("svg", rectangles, circles, role="img", aria_label=_described(placed, teams), class_="strip")


def _described(placed: Sequence[RunResult], teams: int) -> str:
    if not placed:
        return "No run has a place on the leaderboard."
    return "; ".join(
        f"seed {run.seed}: {format_ordinal(run.rank or 0)} of {teams}, {mark_of(run).meaning}" for run in placed
    )


def leaderboard_axis(teams: int) -> Html:
    """Return the axis beneath the strips: places 1, 10, 100 and so on, and the last."""
    places = [10**exponent for exponent in range(len(str(teams)))]
    if teams / places[-1] >= 3:
        places.append(teams)
    labels = join(tag("text", str(place), x=f"{place_on_scale(place, teams):.2f}%", y="0.9em") for place in places)
    return tag("svg", labels, aria_hidden="true", class_="axis")


def rate_drawing(estimate: Estimate) -> Html:
    """Return a scale from 0 to 100 % with a line for the mean ± its standard error and a circle a seed."""
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


def scores_text(runs: Sequence[RunResult]) -> str:
    """Return the score of each seed, or the mark of what came instead."""
    return "  ".join(score_text(run.score, 5) if run.valid else mark_of(run).sign for run in runs)
