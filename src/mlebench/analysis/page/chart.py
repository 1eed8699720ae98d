"""A chart of curves that go by steps, as SVG: the same drawing in a page and as a file of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.analysis.page.markup import Html, join, tag
from mlebench.analysis.wording import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 34, 44
MOST_SERIES = 6
"""Curves that can be told apart."""

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
"""What colours a chart; dashes tell curves apart where colours do not."""


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: what it is called, where it steps, and perhaps what lies around it."""

    name: str
    number: int
    """By which its colour and dashes are chosen: an agent has the same in all charts."""
    at: Sequence[float]
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def chart(title: str, across: str, series: Sequence[Series], most: float | None = None, *, alone: bool = False) -> Html:
    """Return a chart of the first few series.

    Parameters
    ----------
    title, across : str
        What goes up, and what goes to the right.
    series : sequence
        Each value holds from its place to the next.
    most : float, optional
        What the values cannot exceed.
    alone : bool
        Whether the drawing is a file: it then brings its own colours.
    """
    shown = [one for one in series if one.number < MOST_SERIES and one.at]
    values = [value for one in shown for value in (*one.values, *one.high) if math.isfinite(value)]
    ups = ticks(max(values, default=1.0) or (most or 1.0) / 10, most)
    rights = ticks(max((one.at[-1] for one in shown), default=1.0) or 1.0)
    frame = _Frame(max((one.at[-1] for one in shown), default=1.0) or 1.0, ups[-1])
    parts = [
        *(tag("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=frame.y(up), y2=frame.y(up)) for up in ups),
        *(tag("text", short(up), x=LEFT - 8, y=frame.y(up) + 4, text_anchor="end") for up in ups),
        *(
            tag("text", short(right), x=frame.x(right), y=HEIGHT - BOTTOM + 18, text_anchor="middle")
            for right in rights
            if right <= frame.end
        ),
        tag("text", title, class_="name", x=LEFT, y=16),
        tag("text", across, x=WIDTH - RIGHT, y=HEIGHT - 6, text_anchor="end"),
        *(_band(one, frame) for one in shown if one.low),
        *(tag("path", class_=f"curve s{one.number}", d=frame.steps(one.at, one.values)) for one in shown),
    ]
    names = "; ".join(f"{printable(one.name, limit=80)} ends at {short(one.values[-1])}" for one in shown)
    label = f"{title} over {across}: {names}"
    drawing = join(parts)
    attributes = {"class_": "chart", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img", "aria_label": label}
    if alone:
        paper = tag("rect", class_="paper", width=WIDTH, height=HEIGHT + 18 * len(shown))
        legend = join(_legend(one, HEIGHT + 6 + 18 * place) for place, one in enumerate(shown))
        attributes["viewBox"] = f"0 0 {WIDTH} {HEIGHT + 18 * len(shown)}"
        return tag("svg", tag("style", STYLE), paper, drawing, legend, xmlns="http://www.w3.org/2000/svg", **attributes)
    return tag("svg", drawing, **attributes)


def legend(names: Sequence[str]) -> Html:
    """Return the names of a chart's series, each after its line."""
    items = (
        tag(
            "li",
            tag(
                "svg",
                tag("path", class_=f"curve s{n}", d="M0 6H28"),
                class_="chart sample",
                viewBox="0 0 28 12",
                aria_hidden="true",
            ),
            tag("bdi", printable(name, limit=200)),
        )
        for n, name in enumerate(names[:MOST_SERIES])
    )
    return tag("ul", join(items), class_="legend", aria_label="Legend")


def ticks(most: float, limit: float | None = None) -> list[float]:
    """Return round numbers from 0 to at least `most`, but not beyond `limit`."""
    if not (most > 0 and math.isfinite(most)):
        return [0.0, 1.0]
    scale = 10.0 ** math.floor(math.log10(most / 5))
    step = next(scale * factor for factor in (1, 2, 2.5, 5, 10) if most <= 5 * scale * factor * (1 + 1e-9))
    last = math.ceil(most / step - 1e-9)
    found = [step * place for place in range(last + 1)]
    return [*found[:-1], min(found[-1], limit)] if limit is not None else found


def short(value: float) -> str:
    """Return a number of an axis: thousands and millions by letters."""
    for scale, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= scale:
            return f"{value / scale:.4g}{letter}"
    return f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where on the drawing a point stands."""

    end: float
    top: float

    def x(self, value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * value / self.end, 1)

    def y(self, value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / self.top, 1)

    def steps(self, at: Sequence[float], values: Sequence[float]) -> str:
        """Return a path that goes to the right at each value, and up or down at the next one's place."""
        first, *others = zip(at, values, strict=True)
        return f"M{self.x(first[0])} {self.y(first[1])}" + "".join(
            f"H{self.x(place)}" + f"V{self.y(value)}" for place, value in others
        )


def _band(one: Series, frame: _Frame) -> Html:
    there = frame.steps(one.at, one.high)
    corners = list(zip(one.at, one.low, strict=True))
    back = f"L{frame.x(corners[-1][0])} {frame.y(corners[-1][1])}"
    for (place, _), (_, value) in zip(corners[:0:-1], corners[-2::-1], strict=True):
        back += f"H{frame.x(place)}V{frame.y(value)}"
    return tag("path", class_=f"band s{one.number}", d=f"{there}{back}H{frame.x(corners[0][0])}Z")


def _legend(one: Series, y: float) -> Html:
    return join(
        (
            tag("path", class_=f"curve s{one.number}", d=f"M{LEFT} {y}H{LEFT + 28}"),
            tag("text", printable(one.name, limit=80), x=LEFT + 36, y=y + 4),
        )
    )
