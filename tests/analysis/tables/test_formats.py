from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tables.agents import main_table
from mlebench.analysis.tables.formats import FORMATS, Format
from mlebench.analysis.tables.table import Cell, Column, Table
from mlebench.tasks.registry import registry

from ..printing import shown
from ..records import make_group, make_run, make_scores, sources_of

if TYPE_CHECKING:
    from mlebench.runs.record import GroupRecord


LONG = "jigsaw-unintended-bias-in-toxicity-classification"


TWO_AGENTS = {"aide": {"a": [0.99, 0.6, 0.99], LONG: [0.4, 0.4, 0.96]}, "mlab": {"a": [0.4] * 3, LONG: [None] * 3}}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("groups", [[], [make_group(make_run())], [make_scores(TWO_AGENTS)]])
def test_every_table_in_every_format(name: str, groups: list[GroupRecord]) -> None:
    table = TABLES[name](summarize(sources_of(*groups), registry=registry))
    assert table.name == name
    assert shown(table)
    rows = list(csv.reader(io.StringIO(FORMATS[Format.CSV](table))))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows) == 1 + len(table.rows)
    objects = json.loads(FORMATS[Format.JSON](table))
    assert [list(one) for one in objects] == [rows[0]] * len(table.rows)
    assert FORMATS[Format.MARKDOWN](table).count("\n| ") == 2 + len(table.rows)
    latex = FORMATS[Format.LATEX](table)
    assert latex.count(r" \\") == 1 + len(table.rows)


def test_errors_have_columns_of_their_own_in_files() -> None:
    table = main_table(summarize(sources_of(make_scores({"aide": {"a": [0.99, 0.6, None]}}))))
    (row,) = json.loads(FORMATS[Format.JSON](table))
    assert (row["agent"], row["gold"], row["gold_sem"]) == ("aide", pytest.approx(100 / 3), pytest.approx(100 / 3))


def test_special_characters_are_escaped() -> None:
    hostile = "=1+1 & 100% | _a_ <b> {x} \\ $"
    table = Table("t", "T & T", "c", (Column("name", "Na_me", lambda text: Cell(text, text)),), [hostile])
    assert FORMATS[Format.CSV](table) == f"name\n'{hostile}\n"
    assert "| =1+1 & 100% \\| \\_a\\_ \\<b\\> {x} \\\\ $ |" in FORMATS[Format.MARKDOWN](table)
    latex = FORMATS[Format.LATEX](table)
    assert r"=1+1 \& 100\% | \_a\_ \textless{}b\textgreater{} \{x\} \textbackslash{} \$ \\" in latex
    assert r"Na\_me" in latex
