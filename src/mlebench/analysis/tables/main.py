"""The seven columns, and how sure they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.estimates import Rate
from mlebench.analysis.problems import touched_text
from mlebench.analysis.tables.table import (
    Cell,
    Column,
    Table,
    estimate_cell,
    interval_cell,
    number_cell,
    text_cell,
)
from mlebench.analysis.wording import extent_text, printable

if TYPE_CHECKING:
    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.report import Summary

MOST_FLAGGED = 4
"""Agents beneath the table whose medals are flagged; the table of problems has all."""
RATE_COLUMNS = tuple(Column(rate, rate.heading, is_number=True) for rate in Rate)


def agent_cells(agent: AgentSummary) -> tuple[Cell, ...]:
    """Return an agent's row of the main table."""
    return (text_cell(agent.agent, note=extent_text(agent)), *(estimate_cell(agent.rates[rate]) for rate in Rate))


def title(summary: Summary, text: str) -> str:
    """Return a title that does not let anybody take a rehearsal, or a part, for the whole result."""
    kinds = sorted({kind for problems in summary.left_out.values() for kind in problems})
    part = f", without competitions with known problems ({', '.join(kinds)})" if kinds else ""
    return f"{text}{part} (rehearsal: not a result)" if summary.basis == "rehearsal" else f"{text}{part}"


def main_table(summary: Summary) -> Table:
    """A row an agent, a column a rate."""
    touched = {agent.agent: touched_text(summary.problems, agent.agent) for agent in summary.agents[:MOST_FLAGGED]}
    flags = [f"{printable(agent)}: {text}." for agent, text in touched.items() if text]
    return Table(
        name="main",
        title=title(summary, "Percent of competitions"),
        caption="\n".join(["Mean ± standard error over seeds. Gold, silver and bronze exclude each other.", *flags]),
        columns=(Column("agent", "Agent"), *RATE_COLUMNS),
        rows=tuple(map(agent_cells, summary.agents)),
        is_dense=True,
    )


def interval_table(summary: Summary) -> Table:
    """A row for each agent and rate, with all errors."""
    return Table(
        name="intervals",
        title=title(summary, "Percent of competitions, with 95 % intervals"),
        caption=(
            "SEM: standard error over seeds; pooled: as if all attempts were alike. Same tasks: where more seeds in"
            " these competitions would lead (Student's t). Other tasks: what competitions like these would give"
            " (bootstrap over competitions and seeds)."
        ),
        columns=(
            Column("agent", "Agent"),
            Column("rate", "Column"),
            Column("mean", "Mean", is_number=True),
            Column("sem", "SEM", is_number=True),
            Column("pooled_sem", "Pooled", is_number=True),
            Column("t_interval", "Same tasks", is_number=True),
            Column("clustered_interval", "Other tasks", is_number=True),
        ),
        rows=tuple(
            (
                text_cell(agent.agent),
                text_cell(rate.heading),
                number_cell(at.mean),
                number_cell(at.sem, 2),
                number_cell(at.pooled_sem, 2),
                interval_cell(at.interval),
                interval_cell(at.clustered_interval),
            )
            for agent in summary.agents
            for rate, at in agent.rates.items()
        ),
        groups=tuple(len(Rate) * (number + 1) - 1 for number in range(len(summary.agents))),
    )
