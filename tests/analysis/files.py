"""Groups and grading reports on disk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mlebench.analysis.sources import read_sources
from mlebench.analysis.summary import summarize
from mlebench.runs.events import EventLog
from mlebench.runs.record import CurvePoint, CurveRecord

from .records import HOSTILE, make_scores

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.analysis.model import Summary
    from mlebench.runs.record import GroupRecord

ROW = {
    "competition_id": "a",
    "score": 0.5,
    "submission_exists": True,
    "valid_submission": True,
    "above_median": True,
    "gold_medal": False,
    "silver_medal": False,
    "bronze_medal": True,
}
"""A row of a grading report."""


def write_group(folder: Path, group: GroupRecord, curves: dict[str, list[CurvePoint]]) -> Path:
    """Write a group with the curves of some runs, by run id; return its folder."""
    folder.mkdir(parents=True)
    (folder / "metadata.json").write_text(group.as_file())
    for run_id, points in curves.items():
        attempt = folder / run_id / "attempts" / "1"
        attempt.mkdir(parents=True)
        (attempt / "curve.json").write_text(CurveRecord(points=tuple(points)).model_dump_json())
    return folder


def write_artifacts(folder: Path, group: GroupRecord) -> Summary:
    """Write a group with what its agents left, where every text is an attack; return its summary."""
    folder.mkdir()
    (folder / "metadata.json").write_text(group.as_file())
    for run in group.runs.values():
        attempt = folder / run.run_id / "attempts" / "1"
        if run.verdict is None or "/" in run.run_id:
            continue
        for name in ("code/deep", "submission", "logs"):
            (attempt / name).mkdir(parents=True)
        (attempt / "code" / "main.py").write_text(f"# {HOSTILE}\nprint(1)\n")
        (attempt / "code" / "deep" / HOSTILE.replace("/", ":")).write_bytes(b"\0\1\2")
        (attempt / "submission" / "submission.csv").write_text(f"id,target\n1,{HOSTILE}\n")
        (attempt / "run.log").write_text(f"{HOSTILE}\n" * 5)
        (attempt / "instructions.txt").write_text("Do the task.")
        with EventLog(attempt / "events.jsonl") as log:
            log("run", attempt=1, run=run.run_id, mlebench_version="1", machine=HOSTILE)
            log("refused", path=HOSTILE, why="it is a link")
            log("graded", outcome="invalid", score=None, medal=None, reason=HOSTILE)
    return read_summary(folder)


def write_report(path: Path, *rows: dict[str, Any], **head: int) -> Path:
    """Write a grading report whose rows differ from `ROW` in some fields; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**head, "competition_reports": [ROW | row for row in rows]}))
    return path


def write_scores(folder: Path, scores: dict[str, dict[str, list[float | None]]], **changes: Any) -> Path:
    """Write the group of `make_scores`; return its folder."""
    folder.mkdir(parents=True)
    (folder / "metadata.json").write_text(make_scores(scores, run_group=folder.name, **changes).model_dump_json())
    return folder


def read_summary(folder: Path, **options: Any) -> Summary:
    """Read and summarize the group in a folder."""
    return summarize(read_sources([folder]), **options)
