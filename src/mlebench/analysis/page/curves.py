"""The curves: medals and scores over what runs spend, and what several attempts bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.curves import Over, Quantity
from mlebench.analysis.page.chart import MOST_SERIES, Series, chart, legend
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.analysis.report import Summary

TITLES = {Quantity.ANY_MEDAL: "Any medal, % of competitions", Quantity.NORMALIZED_SCORE: "Normalised score"}
UNITS = {Over.HOURS: "hours of a run", Over.TOKENS: "tokens of a run", Over.DOLLARS: "US dollars of a run"}


def drawn(summary: Summary) -> list[str]:
    """Return the agents that there is a curve of, in their order: the same colours go to them in all charts."""
    curved = {curve.agent for curve in summary.curves}
    return [one.agent for one in summary.agents if one.agent in curved or len(one.pass_at_k) > 1]


def drawings(summary: Summary, *, alone: bool = False) -> Iterator[tuple[str, Html]]:
    """Yield the charts that there is something to draw in, with names such as `any_medal-over-hours`."""
    numbers = {name: place for place, name in enumerate(drawn(summary))}
    for over in Over:
        for quantity in Quantity:
            found = [curve for curve in summary.curves if (curve.over, curve.quantity) == (over, quantity)]
            if found:
                series = [Series(one.agent, numbers[one.agent], one.at, one.mean, one.low, one.high) for one in found]
                title = _title(summary, TITLES[quantity])
                yield f"{quantity}-over-{over}", chart(title, UNITS[over], series, quantity.most, alone=alone)
    tried = [agent for agent in summary.agents if len(agent.pass_at_k) > 1]
    if tried:
        series = [
            Series(one.agent, numbers[one.agent], range(len(one.pass_at_k) + 1), (0.0, *one.pass_at_k)) for one in tried
        ]
        yield "pass_at_k", chart(_title(summary, "pass@k, % of competitions"), "attempts, k", series, 100, alone=alone)


def pictures(summary: Summary) -> dict[str, str]:
    """Return the charts as SVG files, by file name."""
    return {f"{name}.svg": f"{drawing}\n" for name, drawing in drawings(summary, alone=True)}


def curve_section(summary: Summary) -> Html | None:
    """Return the charts with one legend; None if there is nothing to draw."""
    charts = dict(drawings(summary))
    if not charts:
        return None
    names = drawn(summary)
    rest = len(names) - MOST_SERIES
    return tag(
        "section",
        tag("h2", "Curves", id="curves"),
        tag(
            "p",
            "What runs have on average once each has spent so much: nothing before its first submission, then what the"
            " last one is worth. Bands are 95 % intervals over seeds at each step; pass@k is the chance of a medal in k"
            " attempts. The numbers are in report.json and in the table “curve”.",
            f" Only the first {count(MOST_SERIES, 'agent')} are drawn." if rest > 0 else None,
            class_="note",
        ),
        legend(names),
        tag("div", join(tag("figure", drawing) for drawing in charts.values()), class_="charts"),
    )


def _title(summary: Summary, text: str) -> str:
    return f"{text} (rehearsal: not a result)" if summary.basis == "rehearsal" else text
