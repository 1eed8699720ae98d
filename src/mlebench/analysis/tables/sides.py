"""Two agents side by side, competition by competition."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from mlebench.analysis.marks import mark_of
from mlebench.analysis.tables.main import title
from mlebench.analysis.tables.table import Cell, Column, Table, text_cell
from mlebench.analysis.wording import score_text

if TYPE_CHECKING:
    from mlebench.analysis.report import CellSummary, CompetitionSummary, Summary


def side_table(summary: Summary) -> Table:
    """A row for each competition of the first two agents: what each came to, and who did better."""
    first, second = [agent.agent for agent in summary.agents[:2]] if len(summary.agents) > 1 else ("", "")
    rows = []
    for competition in summary.competitions:
        cells = {cell.agent: cell for cell in competition.cells}
        left, right = cells.get(first), cells.get(second)
        if first and left and right:
            rows.append(
                (
                    text_cell(competition.competition),
                    *_side(left),
                    *_side(right),
                    text_cell(_better(competition, left, right)),
                )
            )
    names = [text_cell(name).text for name in (first or "first", second or "second")]
    return Table(
        name="sides",
        title=title(summary, f"{names[0]} and {names[1]} side by side"),
        caption=(
            "How each seed came out, and the mean score of its graded runs. Ahead: who has more medals, and among"
            " equals more runs above the median, and among these the better mean score."
        ),
        columns=(
            Column("competition", "Competition"),
            Column("first_seeds", names[0]),
            Column("first_score", "score", is_number=True),
            Column("second_seeds", names[1]),
            Column("second_score", "score", is_number=True),
            Column("ahead", "Ahead"),
        ),
        rows=tuple(rows),
    )


def _side(cell: CellSummary) -> tuple[Cell, Cell]:
    marks = [mark_of(run) for run in cell.runs]
    spans = tuple(part for mark in marks for part in ((mark.sign, mark.style), (" ", "default")))[:-1]
    seeds = Cell(" ".join(mark.sign for mark in marks), " ".join(mark.name for mark in marks), spans=spans)
    return seeds, Cell(score_text(cell.score.mean, 5), cell.score.mean)


def _better(competition: CompetitionSummary, left: CellSummary, right: CellSummary) -> str | None:
    sign = -1 if competition.lower_is_better else 1
    keys = [
        (
            sum(run.medal is not None for run in cell.runs) / len(cell.runs),
            sum(run.above_median for run in cell.runs) / len(cell.runs),
            -float("inf") if cell.score.mean is None else sign * cell.score.mean,
        )
        for cell in (left, right)
    ]
    for one, other in zip_longest(*keys):
        if one != other:
            return left.agent if one > other else right.agent
    return None
