"""Tables of a report, whatever they are shown as.

    table         what a table is
    formats       terminal, Markdown, LaTeX, CSV, JSON
    main          the seven columns; their intervals
    attempts      what several attempts bring; agents compared
    breakdowns    by complexity, category and year
    competitions  scores, thresholds, how each seed came out
    sides         two agents, competition by competition
    tasks         which competitions tell something; their known problems
    curves        what runs have once they have spent so much
    runs          every run; submissions that failed, by reason; cost and tokens

`TABLES` names them all: a new table is a function from a summary to a `Table`, and a row there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.tables.attempts import comparison_table, pass_table
from mlebench.analysis.tables.breakdowns import category_table, complexity_table, trend_table, year_table
from mlebench.analysis.tables.competitions import competition_table
from mlebench.analysis.tables.curves import curve_table
from mlebench.analysis.tables.formats import FORMATS, Format
from mlebench.analysis.tables.main import interval_table, main_table
from mlebench.analysis.tables.runs import failure_table, run_table, usage_table
from mlebench.analysis.tables.sides import side_table
from mlebench.analysis.tables.table import Table
from mlebench.analysis.tables.tasks import problem_table, task_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.analysis.report import Summary

__all__ = ["FORMATS", "TABLES", "Format", "Table"]

TABLES: dict[str, Callable[[Summary], Table]] = {
    "main": main_table,
    "intervals": interval_table,
    "complexity": complexity_table,
    "category": category_table,
    "year": year_table,
    "trend": trend_table,
    "passes": pass_table,
    "comparisons": comparison_table,
    "sides": side_table,
    "competitions": competition_table,
    "tasks": task_table,
    "problems": problem_table,
    "curve": curve_table,
    "runs": run_table,
    "failures": failure_table,
    "usage": usage_table,
}
