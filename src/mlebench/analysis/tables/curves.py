"""The numbers of the curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.curves import Quantity
from mlebench.analysis.tables.main import title
from mlebench.analysis.tables.table import Cell, Column, Table, number_cell, text_cell

if TYPE_CHECKING:
    from mlebench.analysis.curves import Curve
    from mlebench.analysis.report import Summary

_DIGITS = {Quantity.ANY_MEDAL: 1, Quantity.NORMALIZED_SCORE: 3}


def curve_table(summary: Summary) -> Table:
    """A row for each agent, unit and step: what its runs have by then."""
    curves: dict[tuple[str, str], dict[Quantity, Curve]] = {}
    for curve in summary.curves:
        curves.setdefault((curve.agent, curve.over), {})[curve.quantity] = curve
    rows, ends = [], []
    for (agent, over), of_it in curves.items():
        for place, at in enumerate(next(iter(of_it.values())).at):
            step = (text_cell(agent), text_cell(over), Cell(f"{at:.6g}", at))
            rows.append(step + tuple(cell for quantity in Quantity for cell in _cells(of_it.get(quantity), place)))
        ends.append(len(rows) - 1)
    return Table(
        name="curve",
        title=title(summary, "What runs have once they have spent so much"),
        caption=(
            "Any medal: percent of competitions; score: 0 at the sample submission and 1 at the gold threshold. Means"
            " over competitions and seeds, with 95 % intervals over seeds (Student's t) at each step."
        ),
        columns=(
            Column("agent", "Agent"),
            Column("over", "Over"),
            Column("at", "At", is_number=True),
            *(
                Column(f"{quantity}{end}", heading, is_number=True)
                for quantity, name in ((Quantity.ANY_MEDAL, "Any medal"), (Quantity.NORMALIZED_SCORE, "Score"))
                for end, heading in (("", name), ("_low", "from"), ("_high", "to"))
            ),
        ),
        rows=tuple(rows),
        groups=tuple(ends),
    )


def _cells(curve: Curve | None, place: int) -> tuple[Cell, Cell, Cell]:
    if curve is None:
        return (text_cell(None),) * 3
    low, high = (curve.low[place], curve.high[place]) if curve.low else (None, None)
    digits = _DIGITS[curve.quantity]
    return number_cell(curve.mean[place], digits), number_cell(low, digits), number_cell(high, digits)
