"""Grade all submissions that a file lists."""

from __future__ import annotations

import json
import logging
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.data import is_dataset_prepared
from mlebench.errors import NotPreparedError, UsageError
from mlebench.grading.answers import read_jsonl
from mlebench.grading.judge import judge
from mlebench.grading.reference import log_verdict
from mlebench.grading.reports import report_row, totals
from mlebench.ground.clock import get_timestamp
from mlebench.ground.files import write_atomically
from mlebench.ground.wording import join_names
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

logger = logging.getLogger(__name__)


def grade_jsonl(
    path_to_submissions: Path | str,
    output_dir: Path | str,
    registry: Registry | None = None,
    *,
    data_dir: Path | None = None,
) -> Path:
    """Grade the submissions that a `submission.jsonl` lists, and write a grading report.

    Parameters
    ----------
    path_to_submissions
        A file with one JSON object per line: `competition_id` (an id, with `@v2` for that version) and
        `submission_path` (text or null). Other keys are ignored; blank lines and comments are skipped.
    output_dir
        Folder for the report; it is made if its parent exists.
    registry, data_dir
        Where the data are; see `get_competition`.

    Returns
    -------
    Path
        The report, `TIMESTAMP_grading_report.json`.

    Raises
    ------
    UsageError
        The file or the folder cannot be used.
    UnknownNameError
        A competition does not exist.
    NotPreparedError
        A competition's answers are not prepared. All competitions are checked before the first is graded.
    """
    entries = _read_entries(Path(path_to_submissions))
    competitions = {
        name: get_competition(name, data_dir=data_dir, registry=registry)
        for name in sorted({entry["competition_id"] for entry in entries})
    }
    _require_answers(competitions)
    output_dir = Path(output_dir)
    try:
        output_dir.mkdir(exist_ok=True)  # fails before hours of grading, not after
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


def _read_entries(path: Path) -> list[dict[str, Any]]:
    try:
        entries = read_jsonl(path, skip_comments=True)
    except FileNotFoundError:
        raise UsageError(f"There is no file {path} that lists submissions.") from None
    except OSError as error:
        raise UsageError(f"The list of submissions {path} cannot be read: {error.strerror}.") from error
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict) or not isinstance(entry.get("competition_id"), str):
            raise UsageError(f"Entry {number} of {path} has no competition_id.")
    return entries


def _require_answers(competitions: dict[str, Competition]) -> None:
    missing = [name for name, found in competitions.items() if not is_dataset_prepared(found, grading_only=True)]
    if missing:
        raise NotPreparedError(f"Not prepared: {join_names(missing)}. Run: mlebench prepare -c {missing[0]}")
