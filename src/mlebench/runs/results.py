"""The files of a group that other programs read, made of the records of its runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mlebench.grading.reports import report_row, totals
from mlebench.runs.layout import SUBMISSION

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mlebench.runs.record import RunRecord

SUBMISSION_PATH = f"submission/{SUBMISSION}"
"""The path of a run's submission in its folder."""
LOG_PATH = "run.log"


def list_submissions(folder: Path, runs: Iterable[RunRecord]) -> str:
    """Return `submission.jsonl` for `mlebench grade`: a line for each run, in the plan's order.

    Paths are absolute, since readers resolve relative paths against their working directory.
    """
    return "".join(submission_line(folder, run) for run in runs)


def submission_line(folder: Path, run: RunRecord) -> str:
    """Return a run's line of `submission.jsonl`."""
    place = folder.absolute() / run.run_id
    path, logs = place / SUBMISSION_PATH, place / LOG_PATH
    line = {
        "competition_id": run.ref.label,
        "submission_path": str(path) if path.is_file() else None,
        "logs_path": str(logs) if logs.is_file() else None,
    }
    return json.dumps(line) + "\n"


def make_grading_report(runs: Iterable[RunRecord]) -> str:
    """Return `grading_report.json`, the first verdicts in the field's common format, in the plan's order."""
    return dump_grading_report([report_row(run.verdict) for run in runs if run.verdict is not None])


def dump_grading_report(rows: list[dict[str, Any]]) -> str:
    """Return a grading report with these rows."""
    return json.dumps(totals(rows), indent=2) + "\n"
