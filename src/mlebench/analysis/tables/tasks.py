"""Which competitions tell something, and what their known problems do to the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.estimates import Rate
from mlebench.analysis.tables.main import title
from mlebench.analysis.tables.table import Cell, Column, Table, estimate_cell, number_cell, text_cell, whole_cell
from mlebench.analysis.wording import NOTHING
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from mlebench.analysis.report import Summary
    from mlebench.analysis.tasks import TaskSet, TaskSummary


def task_table(summary: Summary) -> Table:
    """A row a competition: how its leaderboard is spread, who has medals, what is wrong with it."""
    return Table(
        name="tasks",
        title=title(summary, "What competitions tell"),
        caption=(
            "Gold–bronze and gold–median: distance of the thresholds in interquartile ranges of all teams' scores."
            " Crowding: percent of teams no further from bronze than gold is. Tied: teams with exactly the gold, silver"
            " and bronze score. Medals: of the runs that count.\n" + effective_text(summary.task_set)
        ),
        columns=(
            Column("competition", "Competition"),
            Column("gold_to_bronze", "Gold–bronze", is_number=True),
            Column("gold_to_median", "Gold–median", is_number=True),
            Column("crowding", "Crowding", is_number=True),
            Column("tied", "Tied", is_number=True),
            Column("medals", "Medals", is_number=True),
            Column("attempts", "Runs", is_number=True),
            Column("medalists", "Who"),
            Column("problems", "Known problems"),
        ),
        rows=tuple(map(_row, summary.tasks)),
    )


def _row(task: TaskSummary) -> tuple[Cell, ...]:
    shape = task.shape
    problems = " ".join(task.problems)
    return (
        text_cell(task.competition),
        number_cell(shape.gold_to_bronze if shape else None, 2),
        number_cell(shape.gold_to_median if shape else None, 2),
        number_cell(shape.crowding if shape else None),
        Cell("/".join(map(str, shape.tied)), " ".join(map(str, shape.tied))) if shape else Cell(NOTHING),
        whole_cell(task.medals),
        whole_cell(task.attempts),
        text_cell(task.medalists),
        Cell(("⚑ " if task.medals else "") + problems, problems) if problems else Cell(NOTHING),
    )


def effective_text(found: TaskSet | None) -> str:
    """Return how many competitions all of them are worth, in sentences."""
    if found is None:
        return "No run counts."
    low, high = found.independent_interval or (0.0, 0.0)
    independent = (
        f"To tell such agents apart they are worth about {found.independent:.1f} independent ones (95 %: {low:.1f} to"
        f" {high:.1f})."
        if found.independent is not None
        else f"How many independent ones they are worth cannot be told: {_small(found.why_not or '')}"
    )
    return (
        f"Of {count(found.competitions, 'competition')}, {found.nobody} have no medal and {found.everybody} have"
        f" one in every run; medals vary as much as in {found.telling:.1f} equally telling ones. {independent}"
    )


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def problem_table(summary: Summary) -> Table:
    """A row for each agent and kind of known problem: medals that it touches, and the result without it."""
    whole = {agent.agent: agent.rates for agent in summary.agents}
    rows, ends = [], []
    for place, one in enumerate(summary.problems):
        rows.append(
            (
                text_cell(one.agent),
                text_cell(one.problem),
                whole_cell(len(one.competitions)),
                Cell(f"{one.medals_touched} of {one.medals}", f"{one.medals_touched} {one.medals}"),
                estimate_cell(whole[one.agent][Rate.ABOVE_MEDIAN]),
                estimate_cell(one.above_median),
                estimate_cell(whole[one.agent][Rate.ANY_MEDAL]),
                estimate_cell(one.any_medal),
            )
        )
        if place + 1 == len(summary.problems) or summary.problems[place + 1].agent != one.agent:
            ends.append(place)
    return Table(
        name="problems",
        title=title(summary, "What known problems of competitions touch"),
        caption=(
            "Tasks: the agent's competitions with a known problem of that kind, in the version that was run. Medals:"
            " those in such competitions. Without: over the other competitions and the same seeds; –, where there are"
            " none. That a problem is known does not say that a run has used it."
        ),
        columns=(
            Column("agent", "Agent"),
            Column("problem", "Problem"),
            Column("competitions", "Tasks", is_number=True),
            Column("medals_touched", "Medals", is_number=True),
            Column("above_median", "Above median", is_number=True),
            Column("above_median_without", "without", is_number=True),
            Column("any_medal", "Any medal", is_number=True),
            Column("any_medal_without", "without", is_number=True),
        ),
        rows=tuple(rows),
        is_dense=True,
        groups=tuple(ends),
    )
