from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from mlebench.analysis.model import Rate
from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tables.agents import main_table
from mlebench.analysis.tables.competitions import competition_table
from mlebench.analysis.tables.formats import FORMATS, Format
from mlebench.analysis.tables.table import Cell, Column, Table
from mlebench.cli.tables import terminal_table
from mlebench.grading.reports import Outcome
from mlebench.runs.record import UsageRecord
from mlebench.tasks.registry import registry

from .records import make_group, make_run, make_scores, make_verdict, sources_of

if TYPE_CHECKING:
    from mlebench.runs.record import GroupRecord

LONG = "jigsaw-unintended-bias-in-toxicity-classification"


def shown(table: Table, width: int = 120) -> str:
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=False, no_color=True).print(terminal_table(table))
    return file.getvalue()


def test_main_table_fits_into_80_characters() -> None:
    summary = summarize(sources_of(make_scores({"aide": {"a": [0.99, 0.6, None], LONG: [0.4, 0.4, 0.96]}})))
    text = shown(main_table(summary), width=80)
    for words in ("Submitted", "83.3", "± 16.7", "aide", "3 seeds × 2"):
        assert words in text
    assert "…" not in text


def test_competition_table_reads_without_colour() -> None:
    group = make_group(
        *(
            make_run("a", seed=seed, verdict=make_verdict("a", score))
            for seed, score in enumerate([0.99, 0.96, 0.91, 0.6, 0.4, None])
        ),
        make_run("a", seed=6, verdict=make_verdict("a", None, outcome=Outcome.MISSING)),
        make_run("a", seed=7, verdict=make_verdict("a", None, outcome=Outcome.FAILED)),
        make_run("a", seed=8),
    )
    text = shown(competition_table(summarize(sources_of(group))))
    assert "G S B + · ✗ – ! …" in text
    for words in ("0.772 ↑", "0.989", "0.951", "0.901", "0.5005", "G gold", "… not finished"):
        assert words in text


def test_foreign_texts_cannot_command_the_terminal() -> None:
    hostile = "[red]\x1b[31m\x9b2J\u202eagent"
    summary = summarize(sources_of(make_group(make_run("a", agent=hostile, verdict=make_verdict("a")))))
    text = shown(main_table(summary)) + shown(competition_table(summary))
    assert "[red]" in text
    assert not set(text) & {"\x1b", "\x9b", "\u202e"}


@pytest.mark.parametrize("groups", [[], [make_group()], [make_group(make_run())]])
def test_nothing_to_show(groups: list[GroupRecord]) -> None:
    summary = summarize(sources_of(*groups))
    assert shown(main_table(summary))
    assert shown(competition_table(summary))


@pytest.mark.slow("programs")
def test_package_imports_nothing_heavy() -> None:
    code = "import sys, mlebench.analysis, mlebench.runs.reader; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "rich", "sklearn"} & set(done.stdout.split())


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


def test_signs_that_formats_would_obey() -> None:
    hostile = "=1+1 & 100% | _a_ <b> {x} \\ $"
    table = Table("t", "T & T", "c", (Column("name", "Na_me", lambda text: Cell(text, text)),), [hostile])
    assert FORMATS[Format.CSV](table) == f"name\n'{hostile}\n"
    assert "| =1+1 & 100% \\| \\_a\\_ \\<b\\> {x} \\\\ $ |" in FORMATS[Format.MARKDOWN](table)
    latex = FORMATS[Format.LATEX](table)
    assert r"=1+1 \& 100\% | \_a\_ \textless{}b\textgreater{} \{x\} \textbackslash{} \$ \\" in latex
    assert r"Na\_me" in latex


def test_breakdowns_name_what_is_known() -> None:
    scores = {"aide": {"leaf-classification": [0.99, 0.99], "spaceship-titanic": [0.4, 0.99], "of-my-own": [0.4, 0.4]}}
    labels = {"leaf-classification": "Plants", "of-my-own": "Mine"}
    summary = summarize(sources_of(make_scores(scores)), registry=registry, categories=labels)
    parts = {b.by: {part.label: part.competitions for part in b.parts} for b in summary.breakdowns}
    assert parts["complexity"] == {"low": ("leaf-classification",)}
    assert parts["category"]["Plants"] == ("leaf-classification",)
    assert parts["category"]["Mine"] == ("of-my-own",)
    assert set(parts["year"]) == {"2017", "2022"}
    assert "leaf" not in shown(TABLES["complexity"](summary))
    assert "all" in shown(TABLES["complexity"](summary))


def test_agents_are_compared_over_what_both_have() -> None:
    summary = summarize(sources_of(make_scores(TWO_AGENTS)))
    comparison = next(one for one in summary.comparisons if one.rate is Rate.ANY_MEDAL)
    assert (comparison.first, comparison.second, comparison.competitions) == ("aide", "mlab", 2)
    assert comparison.difference == pytest.approx(50)
    assert (comparison.better, comparison.worse, comparison.sign_p) == (2, 0, 0.5)


def test_failures_with_one_reason_are_one_row() -> None:
    runs = [
        make_run("a", seed=seed, verdict=make_verdict("a", None, reason=f"Row {seed} of column 'x{seed}' is empty."))
        for seed in range(3)
    ]
    text = shown(TABLES["failures"](summarize(sources_of(make_group(*runs)))))
    assert "Row … of column … is empty." in text
    assert text.count("invalid") == 1
    assert "a_aide_seed-0" in text


def test_usage_is_summed() -> None:
    usage = UsageRecord(requests=2, input_tokens=1500, output_tokens=10, money=0.25)
    runs = [make_run("a", seed=seed, verdict=make_verdict("a"), usage=usage) for seed in range(2)]
    (row,) = json.loads(FORMATS[Format.JSON](TABLES["usage"](summarize(sources_of(make_group(*runs))))))
    assert row == {
        "agent": "aide",
        "runs": 2,
        "hours": 4.0,
        "requests": 4,
        "input_tokens": 3000,
        "output_tokens": 20,
        "dollars": 0.5,
    }
