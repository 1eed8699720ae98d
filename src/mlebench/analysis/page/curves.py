"""The plots: medals and scores over what runs spend, and pass@k."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.model import Over, Quantity
from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.page.plot import MAX_SERIES, Series, StepPlot, plot_legend, render_plot, render_plot_file
from mlebench.analysis.tables.titles import mark_rehearsal
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.analysis.model import Summary

Y_LABELS = {Quantity.ANY_MEDAL: "Any medal, % of competitions", Quantity.NORMALIZED_SCORE: "Normalised score"}
X_LABELS = {Over.HOURS: "hours of a run", Over.TOKENS: "tokens of a run", Over.DOLLARS: "US dollars of a run"}


def _agents(summary: Summary) -> list[str]:
    """Return the agents with a curve, in order: an agent has the same colour in all plots."""
    with_curve = {curve.agent for curve in summary.curves}
    return [one.agent for one in summary.agents if one.agent in with_curve or len(one.pass_at_k) > 1]


def _plots(summary: Summary) -> Iterator[StepPlot]:
    numbers = {name: place for place, name in enumerate(_agents(summary))}
    for over in Over:
        for quantity in Quantity:
            curves = [curve for curve in summary.curves if (curve.over, curve.quantity) == (over, quantity)]
            series = [Series(one.agent, numbers[one.agent], one.at, one.mean, one.low, one.high) for one in curves]
            if series:
                y_label = mark_rehearsal(summary, Y_LABELS[quantity])
                yield StepPlot(f"{quantity}-over-{over}", y_label, X_LABELS[over], series, quantity.maximum)
    series = [
        Series(agent.agent, numbers[agent.agent], range(len(agent.pass_at_k) + 1), (0.0, *agent.pass_at_k))
        for agent in summary.agents
        if len(agent.pass_at_k) > 1
    ]
    if series:
        yield StepPlot("pass_at_k", mark_rehearsal(summary, "pass@k, % of competitions"), "attempts, k", series, 100)


def plot_files(summary: Summary) -> dict[str, str]:
    """Return the plots as SVG files, by file name."""
    return {f"{plot.name}.svg": render_plot_file(plot) for plot in _plots(summary)}


def curve_section(summary: Summary) -> Html | None:
    """Return the plots with one legend; None if there are none."""
    plots = list(_plots(summary))
    if not plots:
        return None
    agents = _agents(summary)
    left_out = f" Only the first {count(MAX_SERIES, 'agent')} are plotted." if len(agents) > MAX_SERIES else None
    figures = (tag("figure", render_plot(plot)) for plot in plots)
    return tag(
        "section",
        tag("h2", "Curves", id="curves"),
        tag(
            "p",
            "The average result of runs once each has spent a given amount: nothing before its first submission, then"
            " what the latest one is worth. Bands are 95 % intervals over seeds at each step. pass@k is the probability"
            " of a medal in k attempts. The numbers are in report.json and in the table “curve”.",
            left_out,
            class_="note",
        ),
        plot_legend(agents),
        tag("div", join(figures), class_="charts"),
    )
