"""What several attempts bring, and which agent is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.tables.main import title
from mlebench.analysis.tables.table import Cell, Column, Table, interval_cell, number_cell, text_cell

if TYPE_CHECKING:
    from mlebench.analysis.report import Summary


def pass_table(summary: Summary) -> Table:
    """A row for each agent and number of attempts."""
    return Table(
        name="passes",
        title=title(summary, "The best of k attempts"),
        caption=(
            "pass@k: percent of competitions with a medal in k attempts, estimated without bias from all seeds. Best:"
            " expected best score, 0 at the sample submission and 1 at the gold threshold. Means over many seeds make"
            " the last rows noisy."
        ),
        columns=(
            Column("agent", "Agent"),
            Column("k", "k", is_number=True),
            Column("pass_at_k", "pass@k", is_number=True),
            Column("best_of_k", "Best", is_number=True),
        ),
        rows=tuple(
            (
                text_cell(agent.agent),
                Cell(str(place + 1), place + 1),
                number_cell(passed),
                number_cell(agent.best_of_k[place] if agent.best_of_k else None, 3),
            )
            for agent in summary.agents
            for place, passed in enumerate(agent.pass_at_k)
        ),
    )


def comparison_table(summary: Summary) -> Table:
    """A row for each pair of agents and rate."""
    return Table(
        name="comparisons",
        title=title(summary, "Agents compared over the competitions that both have"),
        caption=(
            "Difference: percentage points, first minus second, with a 95 % interval over competitions; +/−:"
            " competitions in which the first has more or less. Detectable: the smallest true difference that as many"
            " competitions and seeds would find in four cases of five."
        ),
        columns=(
            Column("first", "First"),
            Column("second", "Second"),
            Column("rate", "Column"),
            Column("difference", "Difference", is_number=True),
            Column("interval", "95 %", is_number=True),
            Column("better_worse", "+/−", is_number=True),
            Column("sign_p", "p (sign)", is_number=True),
            Column("permutation_p", "p (permutation)", is_number=True),
            Column("detectable", "Detectable", is_number=True),
        ),
        rows=tuple(
            (
                text_cell(one.first),
                text_cell(one.second),
                text_cell(one.rate.heading),
                number_cell(one.difference),
                interval_cell(one.interval),
                Cell(f"{one.better}/{one.worse} of {one.competitions}", f"{one.better} {one.worse}"),
                number_cell(one.sign_p, 3),
                number_cell(one.permutation_p, 3),
                number_cell(one.detectable),
            )
            for one in summary.comparisons
        ),
    )
