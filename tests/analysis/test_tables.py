from __future__ import annotations

import io
import subprocess
import sys

import pytest
from rich.console import Console

from mlebench.analysis.summary import summarize
from mlebench.analysis.tables import competition_table, main_table
from mlebench.reports import Outcome

from .records import make_group, make_run, make_scores, make_verdict

LONG = "jigsaw-unintended-bias-in-toxicity-classification"


def shown(table: object, width: int = 120) -> str:
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=False, no_color=True).print(table)
    return file.getvalue()


def test_main_table_fits_into_80_characters() -> None:
    summary = summarize([make_scores({"aide": {"a": [0.99, 0.6, None], LONG: [0.4, 0.4, 0.96]}})])
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
    text = shown(competition_table(summarize([group])))
    assert "G S B + · ✗ – ! …" in text
    for words in ("0.772 ↑", "0.989", "0.951", "0.901", "0.5005", "G gold", "… not finished"):
        assert words in text


def test_foreign_texts_cannot_command_the_terminal() -> None:
    hostile = "[red]\x1b[31m\x9b2J\u202eagent"
    summary = summarize([make_group(make_run("a", agent=hostile, verdict=make_verdict("a")))])
    text = shown(main_table(summary)) + shown(competition_table(summary))
    assert "[red]" in text
    assert not set(text) & {"\x1b", "\x9b", "\u202e"}


@pytest.mark.parametrize("groups", [[], [make_group()], [make_group(make_run())]])
def test_nothing_to_show(groups: list[object]) -> None:
    summary = summarize(groups)  # type: ignore[arg-type]
    assert shown(main_table(summary))
    assert shown(competition_table(summary))


def test_package_imports_nothing_heavy() -> None:
    code = "import sys, mlebench.analysis, mlebench.analysis.groups; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "rich", "sklearn"} & set(done.stdout.split())
