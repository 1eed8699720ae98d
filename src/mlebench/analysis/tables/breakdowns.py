"""Tables of the results by complexity, category and year of competitions."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from mlebench.analysis.model import AgentSummary, Rate, Trend
from mlebench.analysis.tables.table import Column, Table, estimate, interval, number, text, whole
from mlebench.analysis.tables.titles import title

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.analysis.model import Summary


class PartRow(NamedTuple):
    """An agent in a part of the competitions."""

    part: str
    agent: AgentSummary


def _rate_column(rate: Rate) -> Column[PartRow]:
    return Column(rate, rate.heading, lambda row: estimate(row.agent.rates[rate]), "right", has_error=True)


COLUMNS: tuple[Column[PartRow], ...] = (
    Column("agent", "Agent", lambda row: text(row.agent.agent)),
    Column("competitions", "Tasks", lambda row: whole(len(row.agent.competitions)), "right"),
    Column("seeds", "Seeds", lambda row: whole(len(row.agent.seeds_counted)), "right"),
    *map(_rate_column, Rate),
)


def breakdown_table(summary: Summary, by: str) -> Table[PartRow]:
    """One row per part of the competitions and agent; by complexity also for all competitions."""
    parts = [part for breakdown in summary.breakdowns if breakdown.by == by for part in breakdown.parts]
    rows = [PartRow(part.label, agent) for part in parts for agent in part.agents]
    if parts and by == "complexity":
        rows += [PartRow("all", agent) for agent in summary.agents]
    return Table(
        name=by,
        title=title(summary, f"Percent of competitions by {by}"),
        caption="Mean ± standard error over the seeds that are complete in the row's competitions.",
        columns=(Column(by, by.capitalize(), lambda row: text(row.part)), *COLUMNS),
        rows=rows,
        group_by=(lambda row: row.part) if len(summary.agents) > 1 else None,
        is_dense=True,
    )


BREAKDOWNS: dict[str, Callable[[Summary], Table[PartRow]]] = {
    by: functools.partial(breakdown_table, by=by) for by in ("complexity", "category", "year")
}

TREND_COLUMNS: tuple[Column[Trend], ...] = (
    Column("agent", "Agent", lambda trend: text(trend.agent)),
    Column("competitions", "Competitions", lambda trend: whole(trend.competitions), "right"),
    Column("correlation", "Correlation", lambda trend: number(trend.correlation, 2), "right"),
    Column("interval", "95 %", lambda trend: interval(trend.interval, 2), "right"),
)


def trend_table(summary: Summary) -> Table[Trend]:
    """One row per agent: how its medals correlate with the year."""
    return Table(
        name="trend",
        title=title(summary, "Medals and the year of a competition"),
        caption="Spearman's rank correlation of year and percentage of seeds with a medal, over competitions.",
        columns=TREND_COLUMNS,
        rows=[trend for breakdown in summary.breakdowns for trend in breakdown.trends],
    )
