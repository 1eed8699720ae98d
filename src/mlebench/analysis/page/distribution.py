"""A plot of the scores of all teams of a leaderboard, and of runs among them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.wording import format_score

if TYPE_CHECKING:
    from mlebench.analysis.model import CompetitionSummary, LeaderboardShape

WIDTH, HEIGHT = 600, 150
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 8, 22
OMITTED = 0.2
"""Share of the worst teams, whose scores are left out: they are often absurd and would compress the others."""


def distribution(competition: CompetitionSummary, shape: LeaderboardShape) -> Html | None:
    """Return a plot of the percentage of teams with at most each score; None if all teams have the same score.

    Better scores are on the right. Runs with scores beyond the edges are plotted on the edges.
    """
    teams = len(shape.quantiles) - 1
    scores = shape.quantiles[math.ceil(OMITTED * teams) :]
    worst, best = scores[0], scores[-1]
    if worst == best or not all(map(math.isfinite, scores)):
        return None

    def x(score: float) -> str:
        share = min(max((score - worst) / (best - worst), 0.0), 1.0)
        return f"{LEFT + share * (WIDTH - LEFT - RIGHT):.1f}"

    def y(percent: float) -> str:
        return f"{HEIGHT - BOTTOM - percent / 100 * (HEIGHT - BOTTOM - TOP):.1f}"

    first = len(shape.quantiles) - len(scores)
    line = "L".join(f"{x(score)} {y(100 * (first + place) / teams)}" for place, score in enumerate(scores))
    at = competition.thresholds
    lines = [
        tag("line", class_=f"threshold {name}", x1=x(score), x2=x(score), y1=y(0), y2=y(100))
        for name, score in (
            (("median", at.median), ("bronze", at.bronze), ("silver", at.silver), ("gold", at.gold)) if at else ()
        )
    ]
    runs = [
        (run.score, run.percentile)
        for run in competition.runs
        if run.valid and run.score is not None and run.percentile is not None and not math.isnan(run.score)
    ]
    label = (
        f"Scores of the teams from {format_score(worst)} to {format_score(best)}, and of {len(runs)} runs among them."
    )
    return tag(
        "svg",
        join(
            tag("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y(percent), y2=y(percent))
            for percent in (0, 50, 100)
        ),
        join(
            tag("text", f"{percent} %", x=LEFT - 6, y=float(y(percent)) + 4, text_anchor="end")
            for percent in (0, 50, 100)
        ),
        join(lines),
        tag("path", class_="teams", d=f"M{line}"),
        join(tag("circle", cx=x(score), cy=y(percentile), r=4) for score, percentile in runs),
        tag("text", format_score(worst), x=LEFT, y=HEIGHT - 4),
        tag("text", format_score(best), x=WIDTH - RIGHT, y=HEIGHT - 4, text_anchor="end"),
        class_="chart distribution",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=label,
    )
