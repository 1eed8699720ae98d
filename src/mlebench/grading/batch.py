"""Grading all submissions that a file lists."""

from __future__ import annotations

import json
import logging
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data import is_dataset_prepared
from mlebench.errors import NotPreparedError, UsageError
from mlebench.grading.answers import read_jsonl
from mlebench.grading.judge import judge
from mlebench.grading.reports import report_row, totals
from mlebench.grading.surface import log_verdict
from mlebench.ground.clock import get_timestamp
from mlebench.ground.files import write_atomically
from mlebench.tasks.registry import registry as default_registry

if TYPE_CHECKING:
    from mlebench.tasks.registry import Registry

logger = logging.getLogger(__name__)


def grade_jsonl(path_to_submissions: Path, output_dir: Path, registry: Registry | None = None) -> Path:
    """Grade what a `submission.jsonl` lists and write the grading report; returns the report's path.

    Each line has a `competition_id` (with `@v2` for that version) and a `submission_path`, which may be null.
    Every competition is looked up before the first is graded, so that a wrong name loses no work.
    """

    registry = registry or default_registry
    entries = read_jsonl(Path(path_to_submissions), skip_comments=True)
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict) or not isinstance(entry.get("competition_id"), str):
            raise UsageError(f"Entry {number} of {path_to_submissions} has no competition_id.")
    competitions = {name: registry.get_competition(name) for name in {e["competition_id"] for e in entries}}
    unprepared = [
        name
        for name, competition in sorted(competitions.items())
        if not is_dataset_prepared(competition, grading_only=True)
    ]
    if unprepared:
        raise NotPreparedError(
            f"Not prepared: {', '.join(unprepared)}; prepare them first, as in mlebench prepare -c {unprepared[0]}."
        )
    output_dir = Path(output_dir)
    try:
        output_dir.mkdir(exist_ok=True)  # before hours of grading, not after
    except (FileNotFoundError, FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"The folder {output_dir} for the report cannot be made: {error.strerror}.") from error
    rows = []
    for entry in entries:
        verdict = judge(Path(str(entry.get("submission_path"))), competitions[entry["competition_id"]])
        log_verdict(verdict)
        rows.append(report_row(verdict))
    report = totals(rows)
    logger.info(json.dumps({name: value for name, value in report.items() if name != "competition_reports"}, indent=4))
    target = output_dir / f"{get_timestamp()}_grading_report.json"
    while target.exists():  # two calls within a second
        target = target.with_name(f"{get_timestamp()}_{uuid.uuid4().hex[:8]}_grading_report.json")
    write_atomically(target, json.dumps(report, indent=2) + "\n")
    logger.info("Saved summary report to %s", target)
    return target
