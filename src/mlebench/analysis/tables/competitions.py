"""Tables with the results of each competition, and of two agents side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from mlebench.analysis.outcomes import mark_of, marks_in
from mlebench.analysis.tables.table import Cell, Column, Table, marks, text
from mlebench.analysis.tables.titles import title
from mlebench.analysis.wording import NOTHING, format_score
from mlebench.ground.wording import printable

if TYPE_CHECKING:
    from mlebench.analysis.model import CellSummary, CompetitionSummary, Summary


class Result(NamedTuple):
    """An agent in a competition."""

    competition: CompetitionSummary
    cell: CellSummary
    is_first: bool
    """Whether it is the first row of the competition; the others do not repeat what they share."""


def _name(row: Result) -> Cell:
    if not row.is_first:
        return Cell("", row.competition.competition)
    problems = ", ".join(row.competition.facts.problems)
    is_touched = problems and any(run.medal is not None for run in row.competition.runs)
    return text(row.competition.competition, note=f"⚑ known problems: {problems}" if is_touched else "")


def _score(row: Result) -> Cell:
    if row.competition.lower_is_better is None:
        return Cell(NOTHING)
    mean = row.cell.score.mean
    return Cell(
        f"{format_score(mean)} {'↓' if row.competition.lower_is_better else '↑'}",
        mean if mean is not None and math.isfinite(mean) else None,
        row.cell.score.sem,
    )


def _seeds(cell: CellSummary) -> Cell:
    return marks([mark_of(run) for run in cell.runs])


def _threshold_column(name: str) -> Column[Result]:
    def cell(row: Result) -> Cell:
        thresholds = row.competition.thresholds
        value = None if thresholds is None else float(getattr(thresholds, name))
        return Cell(format_score(value) if row.is_first else "", value)

    return Column(name, name.capitalize(), cell, "right")


COLUMNS: tuple[Column[Result], ...] = (
    Column("competition", "Competition", _name),
    Column("agent", "Agent", lambda row: text(row.cell.agent)),
    Column("score", "Score", _score, "right", has_error=True),
    Column("seeds", "Seeds", lambda row: _seeds(row.cell)),
    *map(_threshold_column, ("gold", "silver", "bronze", "median")),
)


def competition_table(summary: Summary) -> Table[Result]:
    """One row per competition and agent: mean score, outcome of each seed, thresholds."""
    legend = "  ".join(f"{mark.symbol} {mark.meaning}" for mark in marks_in(summary.all_runs()))
    several = any(len(competition.cells) > 1 for competition in summary.competitions)
    return Table(
        name="competitions",
        title=title(summary, "Competitions"),
        caption=f"Score: mean over seeds, ↑ higher or ↓ lower is better.\n{legend}",
        columns=COLUMNS,
        rows=[
            Result(competition, cell, is_first=place == 0)
            for competition in summary.competitions
            for place, cell in enumerate(competition.cells)
        ],
        group_by=(lambda row: row.competition.competition) if several else None,
    )


class SideBySide(NamedTuple):
    """Two agents in a competition."""

    competition: CompetitionSummary
    first: CellSummary
    second: CellSummary

    @property
    def ahead(self) -> str | None:
        """The agent that did better; None if they are equal."""
        first, second = (self._merits(cell) for cell in (self.first, self.second))
        return None if first == second else self.first.agent if first > second else self.second.agent

    def _merits(self, cell: CellSummary) -> tuple[float, float, float]:
        sign = -1 if self.competition.lower_is_better else 1
        return (
            sum(run.medal is not None for run in cell.runs) / len(cell.runs),
            sum(run.above_median for run in cell.runs) / len(cell.runs),
            -math.inf if cell.score.mean is None else sign * cell.score.mean,
        )


def _mean(cell: CellSummary) -> Cell:
    return Cell(format_score(cell.score.mean, 5), cell.score.mean)


def side_table(summary: Summary) -> Table[SideBySide]:
    """One row per competition of the first two agents: the result of each, and which is better."""
    agents = [agent.agent for agent in summary.agents[:2]] if len(summary.agents) > 1 else []
    rows = []
    for competition in summary.competitions:
        cells = {cell.agent: cell for cell in competition.cells}
        if agents and cells.keys() >= set(agents):
            rows.append(SideBySide(competition, *(cells[agent] for agent in agents)))
    first, second = map(printable, agents or ("first", "second"))
    return Table(
        name="sides",
        title=title(summary, f"{first} and {second} side by side"),
        caption=(
            "The outcome of each seed, and the mean score of the valid submissions. Ahead: the agent with more medals,"
            " then with more runs above the median, then with the better mean score."
        ),
        columns=(
            Column("competition", "Competition", lambda row: text(row.competition.competition)),
            Column("first_seeds", first, lambda row: _seeds(row.first)),
            Column("first_score", "score", lambda row: _mean(row.first), "right"),
            Column("second_seeds", second, lambda row: _seeds(row.second)),
            Column("second_score", "score", lambda row: _mean(row.second), "right"),
            Column("ahead", "Ahead", lambda row: text(row.ahead)),
        ),
        rows=rows,
    )
