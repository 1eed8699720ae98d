"""The tables of a report, in any format.

table         columns, cells and tables
titles        titles that mark rehearsals and parts
formats       Markdown, LaTeX, CSV, JSON
agents        the main table, its headline and its intervals; several attempts; comparisons
breakdowns    results by complexity, category and year
competitions  results by competition; two agents side by side
versions      from v1 to v2: by grading, and by data
problems      results with and without known problems
tasks         how well competitions tell agents apart
curves        results by hours, tokens and money spent
runs          all runs; failed submissions; usage

`TABLES` has them all. To add a table, write a function from a summary to a `Table` and add it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.tables.agents import comparison_table, headline_table, interval_table, main_table, pass_table
from mlebench.analysis.tables.breakdowns import BREAKDOWNS, trend_table
from mlebench.analysis.tables.competitions import competition_table, side_table
from mlebench.analysis.tables.curves import curve_table
from mlebench.analysis.tables.problems import problem_table
from mlebench.analysis.tables.runs import failure_table, run_table, usage_table
from mlebench.analysis.tables.table import AnyTable, Table
from mlebench.analysis.tables.tasks import task_table
from mlebench.analysis.tables.versions import version_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.analysis.model import Summary

__all__ = ["TABLES", "AnyTable", "Table"]

TABLES: dict[str, Callable[[Summary], AnyTable]] = {
    "main": main_table,
    "headline": headline_table,
    "intervals": interval_table,
    **BREAKDOWNS,
    "trend": trend_table,
    "passes": pass_table,
    "comparisons": comparison_table,
    "versions": version_table,
    "sides": side_table,
    "competitions": competition_table,
    "tasks": task_table,
    "problems": problem_table,
    "curve": curve_table,
    "runs": run_table,
    "failures": failure_table,
    "usage": usage_table,
}
