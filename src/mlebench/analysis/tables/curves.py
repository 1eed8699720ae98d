"""The table with the numbers of the curves."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from mlebench.analysis.model import Curve, Over, Quantity
from mlebench.analysis.tables.table import Cell, Column, Table, number, text
from mlebench.analysis.tables.titles import title

if TYPE_CHECKING:
    from mlebench.analysis.model import Summary

NAMES = {Quantity.ANY_MEDAL: "Any medal", Quantity.NORMALIZED_SCORE: "Score"}
DIGITS = {Quantity.ANY_MEDAL: 1, Quantity.NORMALIZED_SCORE: 3}


class Point(NamedTuple):
    """What an agent's runs have achieved after spending a given amount."""

    agent: str
    over: Over
    at: float
    place: int
    """Of the point on the curves."""
    curves: dict[Quantity, Curve]


def _column(quantity: Quantity, line: Literal["mean", "low", "high"], suffix: str, heading: str) -> Column[Point]:
    def cell(row: Point) -> Cell:
        curve = row.curves.get(quantity)
        values = getattr(curve, line) if curve else ()
        return number(values[row.place] if values else None, DIGITS[quantity])

    return Column(f"{quantity}{suffix}", heading, cell, "right")


COLUMNS: tuple[Column[Point], ...] = (
    Column("agent", "Agent", lambda row: text(row.agent)),
    Column("over", "Over", lambda row: text(row.over)),
    Column("at", "At", lambda row: Cell(f"{row.at:.6g}", row.at), "right"),
    *(
        column
        for quantity in Quantity
        for column in (
            _column(quantity, "mean", "", NAMES[quantity]),
            _column(quantity, "low", "_low", "from"),
            _column(quantity, "high", "_high", "to"),
        )
    ),
)


def curve_table(summary: Summary) -> Table[Point]:
    """One row per agent, unit and step: the average result of its runs by then."""
    curves: dict[tuple[str, Over], dict[Quantity, Curve]] = defaultdict(dict)
    for curve in summary.curves:
        curves[curve.agent, curve.over][curve.quantity] = curve
    return Table(
        name="curve",
        title=title(summary, "Results by hours, tokens and money spent"),
        caption=(
            "Any medal: percent of competitions; score: 0 at the sample submission and 1 at the gold threshold. Means"
            " over competitions and seeds, with 95 % intervals over seeds (Student's t) at each step."
        ),
        columns=COLUMNS,
        rows=[
            Point(agent, over, at, place, by_quantity)
            for (agent, over), by_quantity in curves.items()
            for place, at in enumerate(next(iter(by_quantity.values())).at)
        ],
        group_by=lambda row: (row.agent, row.over),
    )
