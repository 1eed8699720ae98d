"""Step plots as SVG, for pages and as separate files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.analysis.page.markup import Html, join, tag
from mlebench.ground.wording import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 640, 340
LINE = 18
"""Height of a line of the legend."""
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 34, 44
MAX_SERIES = 6
"""Curves that a reader can tell apart."""

STYLE = """
.chart { --ink: #1d1e20; --soft: #5d6066; --line: #dedbd3; --paper: #fdfcfa;
  --series-0: #23527c; --series-1: #b3541e; --series-2: #3d7a4e;
  --series-3: #7d4a94; --series-4: #8a6d1d; --series-5: #a03050; }
@media (prefers-color-scheme: dark) { .chart { --ink: #e4e3df; --soft: #9fa3a9; --line: #33373c; --paper: #16181b;
  --series-0: #8fbde6; --series-1: #f0a26f; --series-2: #8fcb9f;
  --series-3: #cda3e0; --series-4: #d9bd6a; --series-5: #ef94ae; } }
.chart text { font: 12px system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; fill: var(--soft); }
.chart .name { fill: var(--ink); font-weight: 600; }
.chart .grid { stroke: var(--line); }
.chart .curve { fill: none; stroke-width: 2; }
.chart .band { fill-opacity: 0.14; }
.chart .paper { fill: var(--paper); }
""" + "".join(
    f".chart .curve.s{n} {{ stroke: var(--series-{n}); stroke-dasharray: {dash}; }} "
    f".chart .band.s{n} {{ fill: var(--series-{n}); }}\n"
    for n, dash in enumerate(("none", "7 3", "2 3", "9 3 2 3", "4 4", "12 4"))
)
"""Colours of plots; dashes tell curves apart without colour."""


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: each value holds from its place to the next."""

    name: str
    number: int
    """Chooses colour and dashes, so that an agent has the same in all plots."""
    at: Sequence[float]
    values: Sequence[float]
    low: Sequence[float] = ()
    """Low end of the band around the curve; empty without a band."""
    high: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class StepPlot:
    """Curves on common axes; those numbered from `MAX_SERIES` on are left out."""

    name: str
    """Of a file, such as `any_medal-over-hours`."""
    y_label: str
    x_label: str
    series: Sequence[Series]
    limit: float
    """The largest possible value."""

    @property
    def shown(self) -> list[Series]:
        """The curves that are drawn."""
        return [one for one in self.series if one.number < MAX_SERIES and one.at]


def render_plot(plot: StepPlot) -> Html:
    """Return a plot for pages, which have its style and its legend."""
    return tag("svg", _drawing(plot), **_attributes(plot, HEIGHT))


def render_plot_file(plot: StepPlot) -> str:
    """Return a plot as the content of an SVG file, with its style and legend."""
    height = HEIGHT + LINE * len(plot.shown)
    legend = join(_legend_line(one, HEIGHT + 6 + LINE * place) for place, one in enumerate(plot.shown))
    drawing = tag(
        "svg",
        tag("style", STYLE),
        tag("rect", class_="paper", width=WIDTH, height=height),
        _drawing(plot),
        legend,
        xmlns="http://www.w3.org/2000/svg",
        **_attributes(plot, height),
    )
    return f"{drawing}\n"


def _attributes(plot: StepPlot, height: int) -> dict[str, str]:
    ends = "; ".join(f"{printable(one.name, limit=80)} ends at {short_number(one.values[-1])}" for one in plot.shown)
    label = f"{plot.y_label} over {plot.x_label}: {ends}"
    return {"class_": "chart", "viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria_label": label}


def _drawing(plot: StepPlot) -> Html:
    values = [value for one in plot.shown for value in (*one.values, *one.high) if math.isfinite(value)]
    end = max((one.at[-1] for one in plot.shown), default=1.0) or 1.0
    y_ticks = ticks(max(values, default=1.0) or plot.limit / 10, plot.limit)
    x_ticks = [tick for tick in ticks(end) if tick <= end]
    axes = _Axes(end, y_ticks[-1])
    bottom = HEIGHT - BOTTOM + 18
    return join(
        (
            *(tag("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=axes.y(up), y2=axes.y(up)) for up in y_ticks),
            *(tag("text", short_number(up), x=LEFT - 8, y=axes.y(up) + 4, text_anchor="end") for up in y_ticks),
            *(tag("text", short_number(at), x=axes.x(at), y=bottom, text_anchor="middle") for at in x_ticks),
            tag("text", plot.y_label, class_="name", x=LEFT, y=16),
            tag("text", plot.x_label, x=WIDTH - RIGHT, y=HEIGHT - 6, text_anchor="end"),
            *(_band(one, axes) for one in plot.shown if one.low),
            *(tag("path", class_=f"curve s{one.number}", d=axes.steps(one.at, one.values)) for one in plot.shown),
        )
    )


def plot_legend(names: Sequence[str]) -> Html:
    """Return the names of the series, each after a sample of its line."""
    items = (
        tag("li", _sample(number), tag("bdi", printable(name, limit=200)))
        for number, name in enumerate(names[:MAX_SERIES])
    )
    return tag("ul", join(items), class_="legend", aria_label="Legend")


def _sample(number: int) -> Html:
    line = tag("path", class_=f"curve s{number}", d="M0 6H28")
    return tag("svg", line, class_="chart sample", viewBox="0 0 28 12", aria_hidden="true")


def ticks(maximum: float, limit: float | None = None) -> list[float]:
    """Return round numbers from 0 to at least `maximum`, but not beyond `limit`."""
    if not (maximum > 0 and math.isfinite(maximum)):
        return [0.0, 1.0]
    scale = 10.0 ** math.floor(math.log10(maximum / 5))
    step = next(scale * factor for factor in (1, 2, 2.5, 5, 10) if maximum <= 5 * scale * factor * (1 + 1e-9))
    last = math.ceil(maximum / step - 1e-9)
    found = [step * place for place in range(last + 1)]
    return [*found[:-1], min(found[-1], limit)] if limit is not None else found


def short_number(value: float) -> str:
    """Return a number of an axis; letters stand for thousands, millions and billions."""
    for scale, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= scale:
            return f"{value / scale:.4g}{letter}"
    return f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class _Axes:
    """Converts values to positions in the drawing."""

    end: float
    """Right end of the horizontal axis."""
    top: float
    """Upper end of the vertical axis."""

    def x(self, value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * value / self.end, 1)

    def y(self, value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / self.top, 1)

    def steps(self, at: Sequence[float], values: Sequence[float]) -> str:
        """Return the path of a step function: each value holds from its place to the next."""
        first, *others = zip(at, values, strict=True)
        return f"M{self.x(first[0])} {self.y(first[1])}" + "".join(
            f"H{self.x(place)}V{self.y(value)}" for place, value in others
        )


def _band(one: Series, axes: _Axes) -> Html:
    forward = axes.steps(one.at, one.high)
    corners = list(zip(one.at, one.low, strict=True))
    back = f"L{axes.x(corners[-1][0])} {axes.y(corners[-1][1])}"
    for (place, _), (_, value) in zip(corners[:0:-1], corners[-2::-1], strict=True):
        back += f"H{axes.x(place)}V{axes.y(value)}"
    return tag("path", class_=f"band s{one.number}", d=f"{forward}{back}H{axes.x(corners[0][0])}Z")


def _legend_line(one: Series, y: float) -> Html:
    return join(
        (
            tag("path", class_=f"curve s{one.number}", d=f"M{LEFT} {y}H{LEFT + 28}"),
            tag("text", printable(one.name, limit=80), x=LEFT + 36, y=y + 4),
        )
    )
