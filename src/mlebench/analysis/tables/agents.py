"""Tables about agents: the main table and its headline, intervals, attempts, and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mlebench.analysis.model import AgentSummary, Comparison, Rate, RateEstimate
from mlebench.analysis.tables.problems import describe_touched
from mlebench.analysis.tables.table import Cell, Column, Table, estimate, interval, number, text, whole
from mlebench.analysis.tables.titles import title
from mlebench.analysis.wording import describe_extent
from mlebench.ground.wording import printable

if TYPE_CHECKING:
    from mlebench.analysis.model import Summary

MAX_FLAGGED = 4
"""Agents whose medals with known problems the caption names; the table `problems` has all."""


def rate_column(rate: Rate) -> Column[AgentSummary]:
    """Return the column of a rate."""
    return Column(rate, rate.heading, lambda agent: estimate(agent.rates[rate]), "right", has_error=True)


MAIN_COLUMNS: tuple[Column[AgentSummary], ...] = (
    Column("agent", "Agent", lambda agent: text(agent.agent, note=describe_extent(agent))),
    *map(rate_column, Rate),
)


def main_table(summary: Summary) -> Table[AgentSummary]:
    """One row per agent, one column per rate."""
    touched = {agent.agent: describe_touched(summary, agent.agent) for agent in summary.agents[:MAX_FLAGGED]}
    flags = [f"{printable(agent)}: {touch}." for agent, touch in touched.items() if touch]
    return Table(
        name="main",
        title=title(summary, "Percent of competitions"),
        caption="\n".join(["Mean ± standard error over seeds. Gold, silver and bronze exclude each other.", *flags]),
        columns=MAIN_COLUMNS,
        rows=summary.agents,
        is_dense=True,
    )


def headline_table(summary: Summary) -> Table[AgentSummary]:
    """One row per agent, one column per rate, without competitions whose leaderboard is void or saturated."""
    headline = summary.headline
    return Table(
        name="headline",
        title=title(summary, "Percent of competitions, without those whose leaderboard is void or saturated"),
        caption=f"Left out: {printable(', '.join(headline.left_out))}." if headline else "None is left out.",
        columns=MAIN_COLUMNS,
        rows=headline.agents if headline else (),
        is_dense=True,
    )


class AgentRate(NamedTuple):
    """A row of the table of intervals."""

    agent: str
    rate: Rate
    estimate: RateEstimate


INTERVAL_COLUMNS: tuple[Column[AgentRate], ...] = (
    Column("agent", "Agent", lambda row: text(row.agent)),
    Column("rate", "Column", lambda row: text(row.rate.heading)),
    Column("mean", "Mean", lambda row: number(row.estimate.mean), "right"),
    Column("sem", "SEM", lambda row: number(row.estimate.sem, 2), "right"),
    Column("pooled_sem", "Pooled", lambda row: number(row.estimate.pooled_sem, 2), "right"),
    Column("t_interval", "Same tasks", lambda row: interval(row.estimate.interval), "right"),
    Column("clustered_interval", "Other tasks", lambda row: interval(row.estimate.clustered_interval), "right"),
)


def interval_table(summary: Summary) -> Table[AgentRate]:
    """One row per agent and rate, with all errors."""
    return Table(
        name="intervals",
        title=title(summary, "Percent of competitions, with 95 % intervals"),
        caption=(
            "SEM: standard error over seeds; pooled: as if all attempts were independent. Same tasks: what more seeds"
            " in these competitions would give (Student's t). Other tasks: what similar competitions would give"
            " (bootstrap over competitions and seeds)."
        ),
        columns=INTERVAL_COLUMNS,
        rows=[AgentRate(agent.agent, rate, at) for agent in summary.agents for rate, at in agent.rates.items()],
        group_by=lambda row: row.agent,
    )


class Attempts(NamedTuple):
    """A row of the table of attempts."""

    agent: str
    k: int
    pass_at_k: float
    best_of_k: float | None


ATTEMPT_COLUMNS: tuple[Column[Attempts], ...] = (
    Column("agent", "Agent", lambda row: text(row.agent)),
    Column("k", "k", lambda row: whole(row.k), "right"),
    Column("pass_at_k", "pass@k", lambda row: number(row.pass_at_k), "right"),
    Column("best_of_k", "Best", lambda row: number(row.best_of_k, 3), "right"),
)


def pass_table(summary: Summary) -> Table[Attempts]:
    """One row per agent and number of attempts."""
    return Table(
        name="passes",
        title=title(summary, "The best of k attempts"),
        caption=(
            "pass@k: percent of competitions with a medal in k attempts, an unbiased estimate from all seeds. Best:"
            " expected best score, 0 at the sample submission and 1 at the gold threshold. The last rows are noisy,"
            " since few sets of seeds enter them."
        ),
        columns=ATTEMPT_COLUMNS,
        rows=[
            Attempts(agent.agent, place + 1, passed, agent.best_of_k[place] if agent.best_of_k else None)
            for agent in summary.agents
            for place, passed in enumerate(agent.pass_at_k)
        ],
    )


def _better_worse(row: Comparison) -> Cell:
    return Cell(f"{row.better}/{row.worse} of {row.competitions}", f"{row.better} {row.worse}")


COMPARISON_COLUMNS: tuple[Column[Comparison], ...] = (
    Column("first", "First", lambda row: text(row.first)),
    Column("second", "Second", lambda row: text(row.second)),
    Column("rate", "Column", lambda row: text(row.rate.heading)),
    Column("difference", "Difference", lambda row: number(row.difference), "right"),
    Column("interval", "95 %", lambda row: interval(row.interval), "right"),
    Column("better_worse", "+/−", _better_worse, "right"),
    Column("sign_p", "p (sign)", lambda row: number(row.sign_p, 3), "right"),
    Column("permutation_p", "p (permutation)", lambda row: number(row.permutation_p, 3), "right"),
    Column("detectable", "Detectable", lambda row: number(row.detectable), "right"),
)


def comparison_table(summary: Summary) -> Table[Comparison]:
    """One row per pair of agents and rate."""
    return Table(
        name="comparisons",
        title=title(summary, "Agents compared over the competitions that both have"),
        caption=(
            "Difference: percentage points, first minus second, with a 95 % interval over competitions; +/−:"
            " competitions in which the first has more or less. Detectable: the smallest true difference that as many"
            " competitions and seeds find with a power of 80 %."
        ),
        columns=COMPARISON_COLUMNS,
        rows=summary.comparisons,
    )
