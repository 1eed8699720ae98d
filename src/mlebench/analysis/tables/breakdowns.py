"""The results by complexity, category and year of competitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.estimates import Rate
from mlebench.analysis.tables.main import RATE_COLUMNS, title
from mlebench.analysis.tables.table import Cell, Column, Table, estimate_cell, interval_cell, number_cell, text_cell

if TYPE_CHECKING:
    from mlebench.analysis.report import Breakdown, Summary


def complexity_table(summary: Summary) -> Table:
    """A row for each agent and complexity, and all."""
    return _table(summary, "complexity")


def category_table(summary: Summary) -> Table:
    """A row for each agent and category."""
    return _table(summary, "category")


def year_table(summary: Summary) -> Table:
    """A row for each agent and year."""
    return _table(summary, "year")


def trend_table(summary: Summary) -> Table:
    """A row an agent: how its medals go with the years."""
    return Table(
        name="trend",
        title=title(summary, "Medals and the year of a competition"),
        caption="Spearman's rank correlation of year and percentage of seeds with a medal, over competitions.",
        columns=(
            Column("agent", "Agent"),
            Column("competitions", "Competitions", is_number=True),
            Column("correlation", "Correlation", is_number=True),
            Column("interval", "95 %", is_number=True),
        ),
        rows=tuple(
            (
                text_cell(trend.agent),
                Cell(str(trend.competitions), trend.competitions),
                number_cell(trend.correlation, 2),
                Cell(
                    "{:.2f} to {:.2f}".format(*trend.interval).replace("-", "−"),
                    "{:.4g} {:.4g}".format(*trend.interval),
                )
                if trend.interval
                else interval_cell(None),
            )
            for breakdown in summary.breakdowns
            for trend in breakdown.trends
        ),
    )


def _table(summary: Summary, by: str) -> Table:
    found = [breakdown for breakdown in summary.breakdowns if breakdown.by == by]
    rows = [row for breakdown in found for row in _rows(breakdown)]
    if found and by == "complexity":
        rows += [
            (text_cell("all"), text_cell(agent.agent), *_counts(len(agent.competitions), len(agent.seeds_counted)),
             *(estimate_cell(agent.rates[rate]) for rate in Rate))
            for agent in summary.agents
        ]  # fmt: skip
    ends = [place for place, row in enumerate(rows) if place + 1 == len(rows) or rows[place + 1][0] != row[0]]
    return Table(
        name=by,
        title=title(summary, f"Percent of competitions by {by}"),
        caption="Mean ± standard error over the seeds that are complete in the row's competitions.",
        columns=(
            Column(by, by.capitalize()),
            Column("agent", "Agent"),
            Column("competitions", "Tasks", is_number=True),
            Column("seeds", "Seeds", is_number=True),
            *RATE_COLUMNS,
        ),
        rows=tuple(rows),
        is_dense=True,
        groups=tuple(ends) if len(summary.agents) > 1 else (),
    )


def _rows(breakdown: Breakdown) -> list[tuple[Cell, ...]]:
    return [
        (
            text_cell(part.label),
            text_cell(agent.agent),
            *_counts(len(agent.competitions), len(agent.seeds_counted)),
            *(estimate_cell(agent.rates[rate]) for rate in Rate),
        )
        for part in breakdown.parts
        for agent in part.agents
    ]


def _counts(competitions: int, seeds: int) -> tuple[Cell, Cell]:
    return Cell(str(competitions), competitions), Cell(str(seeds), seeds)
