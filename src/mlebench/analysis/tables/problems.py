"""The table of known problems: how many medals they touch, and the results without them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mlebench.analysis.model import Rate, RateEstimate, WithoutProblem
from mlebench.analysis.tables.table import Cell, Column, Table, estimate, text, whole
from mlebench.analysis.tables.titles import title
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from mlebench.analysis.model import Summary


class ProblemRow(NamedTuple):
    """An agent's result with and without the competitions that have a kind of problem."""

    rates: dict[Rate, RateEstimate]
    """With them."""
    without: WithoutProblem


def _medals(row: ProblemRow) -> Cell:
    touched, medals = row.without.medals_touched, row.without.medals
    return Cell(f"{touched} of {medals}", f"{touched} {medals}")


COLUMNS: tuple[Column[ProblemRow], ...] = (
    Column("agent", "Agent", lambda row: text(row.without.agent)),
    Column("problem", "Problem", lambda row: text(row.without.problem)),
    Column("competitions", "Tasks", lambda row: whole(len(row.without.competitions)), "right"),
    Column("medals_touched", "Medals", _medals, "right"),
    Column("above_median", "Above median", lambda row: estimate(row.rates[Rate.ABOVE_MEDIAN]), "right", True),
    Column("above_median_without", "without", lambda row: estimate(row.without.above_median), "right", True),
    Column("any_medal", "Any medal", lambda row: estimate(row.rates[Rate.ANY_MEDAL]), "right", True),
    Column("any_medal_without", "without", lambda row: estimate(row.without.any_medal), "right", True),
)


def problem_table(summary: Summary) -> Table[ProblemRow]:
    """One row per agent and kind of known problem: the medals that it touches, and the result without it."""
    rates = {agent.agent: agent.rates for agent in summary.agents}
    return Table(
        name="problems",
        title=title(summary, "Results with and without known problems of competitions"),
        caption=(
            "Tasks: the agent's competitions with a known problem of that kind, in the version that ran. Medals: those"
            " in such competitions. Without: over the other competitions and the same seeds; – if there are none. A"
            " known problem does not mean that a run has used it."
        ),
        columns=COLUMNS,
        rows=[ProblemRow(rates[one.agent], one) for one in summary.problems],
        group_by=lambda row: row.without.agent,
        is_dense=True,
    )


def describe_touched(summary: Summary, agent: str) -> str | None:
    """Return how many of an agent's medals known problems touch; None if there are none."""
    touched = [one for one in summary.problems if one.agent == agent and one.medals_touched]
    if not touched:
        return None
    kinds = ", ".join(f"{one.problem} {one.medals_touched}" for one in touched)
    return f"⚑ of {count(touched[0].medals, 'medal')} in competitions with known problems: {kinds}"
