"""How each competition came out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mlebench.analysis.marks import MARKS, mark_of
from mlebench.analysis.tables.main import title
from mlebench.analysis.tables.table import Cell, Column, Table, text_cell
from mlebench.analysis.wording import NOTHING, score_text

if TYPE_CHECKING:
    from mlebench.analysis.report import CellSummary, CompetitionSummary, Summary

THRESHOLDS = ("gold", "silver", "bronze", "median")


def competition_table(summary: Summary) -> Table:
    """A row for each competition and agent: score, how each seed came out, thresholds."""
    shown = {mark_of(run).name for run in summary.all_runs()}
    legend = "  ".join(f"{mark.sign} {mark.meaning}" for mark in MARKS if mark.name in shown)
    rows, ends = [], []
    for competition in summary.competitions:
        for number, cell in enumerate(competition.cells):
            rows.append(
                (
                    _name(competition, shown=number == 0),
                    text_cell(cell.agent),
                    _score(competition, cell),
                    _marks(cell),
                    *_thresholds(competition, shown=number == 0),
                )
            )
        if len(competition.cells) > 1:
            ends.append(len(rows) - 1)
    return Table(
        name="competitions",
        title=title(summary, "Competitions"),
        caption=f"Score: mean over seeds, ↑ higher or ↓ lower is better.\n{legend}",
        columns=(
            Column("competition", "Competition"),
            Column("agent", "Agent"),
            Column("score", "Score", is_number=True),
            Column("seeds", "Seeds"),
            *(Column(name, name.capitalize(), is_number=True) for name in THRESHOLDS),
        ),
        rows=tuple(rows),
        groups=tuple(ends),
    )


def _name(competition: CompetitionSummary, *, shown: bool) -> Cell:
    if not shown:
        return Cell("", competition.competition)
    touched = any(run.medal is not None for cell in competition.cells for run in cell.runs)
    problems = ", ".join(competition.facts.problems)
    return text_cell(competition.competition, note=f"⚑ known problems: {problems}" if touched and problems else "")


def _score(competition: CompetitionSummary, cell: CellSummary) -> Cell:
    if competition.lower_is_better is None:
        return Cell(NOTHING, has_error=True)
    mean = cell.score.mean
    return Cell(
        f"{score_text(mean)} {'↓' if competition.lower_is_better else '↑'}",
        mean if mean is not None and math.isfinite(mean) else None,
        cell.score.sem,
        has_error=True,
    )


def _marks(cell: CellSummary) -> Cell:
    marks = [mark_of(run) for run in cell.runs]
    spans = [part for mark in marks for part in ((mark.sign, mark.style), (" ", "default"))][:-1]
    return Cell(" ".join(mark.sign for mark in marks), " ".join(mark.name for mark in marks), spans=tuple(spans))


def _thresholds(competition: CompetitionSummary, *, shown: bool) -> tuple[Cell, ...]:
    at = competition.thresholds
    if at is None:
        return (Cell(NOTHING if shown else ""),) * len(THRESHOLDS)
    values = [float(getattr(at, name)) for name in THRESHOLDS]
    return tuple(Cell(score_text(value) if shown else "", value) for value in values)
