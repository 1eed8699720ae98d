"""`mlebench report` writes the page, the pages of runs, and pictures."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

from ..analysis.files import write_group
from ..analysis.records import make_group, make_point, make_run, make_verdict

if TYPE_CHECKING:
    from pathlib import Path


LEAKY = "leaf-classification"


def report(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mlebench", "report", str(folder), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def group(tmp_path: Path) -> Path:
    runs = [make_run(name, verdict=make_verdict(name, 0.99)) for name in (LEAKY, "of-my-own")]
    return write_group(tmp_path / "group", make_group(*runs), {runs[1].run_id: [make_point(1, 0.99)]})


def test_plots_and_run_pages_are_beside_the_report(tmp_path: Path) -> None:
    folder = group(tmp_path)
    done = report(folder, "-t", "curve", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {row["at"]: row["any_medal"] for row in rows}["1.0"] == "50.0"
    beside = {file.name for file in (folder / "report_files").iterdir()}
    assert beside == {"any_medal-over-hours.svg", f"{LEAKY}_aide_seed-0.html", "of-my-own_aide_seed-0.html"}
    curves = json.loads((folder / "report.json").read_text())["curves"]
    assert [(curve["over"], curve["quantity"], curve["mean"][-1]) for curve in curves] == [("hours", "any_medal", 100)]
    assert 'href="report_files/of-my-own_aide_seed-0.html"' in (folder / "report.html").read_text()


def test_without_pages_of_runs(tmp_path: Path) -> None:
    folder = group(tmp_path)
    report(folder, "--no-run-pages", "--output-dir", str(tmp_path / "out"))
    assert [file.suffix for file in (tmp_path / "out" / "report_files").iterdir()] == [".svg"]
    assert "report_files" not in (tmp_path / "out" / "report.html").read_text()


def test_the_result_without_void_leaderboards_is_printed_if_there_are_any(tmp_path: Path) -> None:
    printed = report(group(tmp_path), "--format", "markdown").stdout
    assert printed.count("\n| aide ") == 2
    assert f"Left out: {LEAKY}." in printed
    own = make_group(make_run("of-my-own", verdict=make_verdict("of-my-own", 0.99)))
    alone = write_group(tmp_path / "alone", own, {})
    assert "Left out" not in report(alone, "--format", "markdown").stdout


def test_without_problems(tmp_path: Path) -> None:
    folder = group(tmp_path)
    done = report(folder, "--without", "leak, split", "-t", "main")
    assert "× 1 competition" in done.stdout
    assert f"known problems (leak, split) left out of the means on request: {LEAKY}" in done.stdout
    wrong = report(folder, "--without", "lake")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "did you mean 'leak'?" in wrong.stderr and wrong.stderr.count("\n") == 1
