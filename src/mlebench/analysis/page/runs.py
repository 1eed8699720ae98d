"""The table of all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.outcomes import MARKS, mark_of
from mlebench.analysis.page.markup import Html, tag
from mlebench.analysis.page.tables import table_section
from mlebench.analysis.tables.table import Cell, Column, Table, number, whole
from mlebench.analysis.wording import NOTHING, format_score, format_time
from mlebench.ground.wording import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.analysis.model import RunKey, RunResult, Summary

MAX_RUNS = 5000
"""Runs that a page can show: a page on 100 groups must still open."""


def _outcome(run: RunResult) -> Cell:
    mark = mark_of(run)
    rehearsal = " (rehearsal)" if run.is_rehearsal else ""
    return Cell(f"{mark.meaning}{rehearsal}", MARKS.index(mark), marks=(mark,), detail=run.reason)


def _ending(run: RunResult) -> Cell:
    return Cell(NOTHING) if run.ending is None else Cell(run.ending, run.ending, detail=run.ending_detail)


COLUMNS: tuple[Column[RunResult], ...] = (
    Column("outcome", "Outcome", _outcome),
    Column("score", "Score", lambda run: Cell(format_score(run.score), run.score), "right"),
    Column("rank", "Rank", lambda run: whole(run.rank), "right"),
    Column("percentile", "Percentile", lambda run: number(run.percentile), "right"),
    Column("ending", "How it ended", _ending),
    Column("seconds", "Time", lambda run: Cell(format_time(run.seconds), run.seconds), "right"),
)


def run_section(summary: Summary, run_pages: Mapping[RunKey, str]) -> Html:
    """Return the table of all runs, with links to their pages; for too many runs, a note."""
    if summary.runs > MAX_RUNS:
        note = f"A page cannot show {summary.runs:,} runs. See report.json, or the table “runs”."
        return tag("section", tag("h2", "Runs", id="runs"), tag("p", note, class_="note"))
    has_groups = len(summary.groups) > 1

    def name(run: RunResult) -> Cell:
        group = printable(run.run_group, limit=200) if has_groups else ""
        return Cell(printable(run.run_id, limit=300), note=group, link=run_pages.get(run.key))

    return table_section(
        Table(
            name="runs",
            title="Runs",
            caption=(
                "The percentile is the share of teams that the score is better than or equal to. The time is in hours,"
                " minutes and seconds."
            ),
            columns=(Column("run_id", "Run", name), *COLUMNS),
            rows=summary.all_runs(),
        ),
        id="runs",
        class_="runs",
    )
