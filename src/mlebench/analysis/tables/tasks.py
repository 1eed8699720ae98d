"""The table of how well each competition tells agents apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.tables.table import Cell, Column, Table, number, text, whole
from mlebench.analysis.tables.titles import title
from mlebench.analysis.wording import NOTHING
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.analysis.model import LeaderboardShape, Summary, TaskSet, TaskSummary


def _of_shape(cell: Callable[[LeaderboardShape], Cell]) -> Callable[[TaskSummary], Cell]:
    return lambda task: cell(task.shape) if task.shape else Cell(NOTHING)


def _problems(task: TaskSummary) -> Cell:
    problems = " ".join(task.problems)
    return Cell(("⚑ " if task.medals else "") + problems, problems) if problems else Cell(NOTHING)


def _tied(shape: LeaderboardShape) -> Cell:
    return Cell("/".join(map(str, shape.tied)), " ".join(map(str, shape.tied)))


COLUMNS: tuple[Column[TaskSummary], ...] = (
    Column("competition", "Competition", lambda task: text(task.competition)),
    Column("gold_to_bronze", "Gold–bronze", _of_shape(lambda shape: number(shape.gold_to_bronze, 2)), "right"),
    Column("gold_to_median", "Gold–median", _of_shape(lambda shape: number(shape.gold_to_median, 2)), "right"),
    Column("crowding", "Crowding", _of_shape(lambda shape: number(shape.crowding)), "right"),
    Column("tied", "Tied", _of_shape(_tied), "right"),
    Column("medals", "Medals", lambda task: whole(task.medals), "right"),
    Column("attempts", "Runs", lambda task: whole(task.attempts), "right"),
    Column("medalists", "Who", lambda task: text(task.medalists)),
    Column("fit", "Fit", lambda task: text(task.fit)),
    Column("problems", "Known problems", _problems),
)


def task_table(summary: Summary) -> Table[TaskSummary]:
    """One row per competition: how its leaderboard is spread, which runs have medals, and its known problems."""
    return Table(
        name="tasks",
        title=title(summary, "How well competitions tell agents apart"),
        caption=(
            "Gold–bronze and gold–median: distance of the thresholds in interquartile ranges of all teams' scores."
            " Crowding: percent of teams at most as far from bronze as gold is. Tied: teams with exactly the gold,"
            " silver and bronze score. Medals: of the runs that count. Fit: how well scores compare with the"
            " leaderboard.\n" + _describe(summary.task_set)
        ),
        columns=COLUMNS,
        rows=summary.tasks,
    )


def _describe(tasks: TaskSet | None) -> str:
    """Return in sentences how well all competitions together tell agents apart."""
    if tasks is None:
        return "No run counts."
    if tasks.independent is not None:
        low, high = tasks.independent_interval or (0.0, 0.0)
        independent = (
            f"They tell these agents apart as well as about {tasks.independent:.1f} independent competitions (95 %:"
            f" {low:.1f} to {high:.1f})."
        )
    else:
        independent = f"The number of independent competitions is unknown. {tasks.why_not or ''}"
    return (
        f"Of {count(tasks.competitions, 'competition')}, {tasks.nobody} have no medal and {tasks.everybody} have one in"
        f" every run; medals vary as much as in {tasks.telling:.1f} equally informative ones. {independent}"
    )
