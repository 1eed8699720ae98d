"""Checking the files of a group for other programs: they are computed again from the records of the runs."""

from __future__ import annotations

import dataclasses
import json
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import RunError
from mlebench.grading.reports import report_row
from mlebench.runs.layout import ATTEMPTS, GRADING_REPORT, SUBMISSIONS
from mlebench.runs.record import RunRecord, Status, digest_of
from mlebench.runs.results import (
    LOG_PATH,
    SUBMISSION_PATH,
    dump_grading_report,
    list_submissions,
    make_grading_report,
)
from mlebench.runs.untrusted import MiB, read_file
from mlebench.runs.verify.finding import Finding, find

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

MAX_RESULTS = 256 * MiB
NAMES = (SUBMISSIONS, GRADING_REPORT)
REPEAT = "Repeat the command that started the group."


@dataclass(frozen=True, slots=True)
class Results:
    """What the results of a group must agree with."""

    folder: Path
    runs: tuple[RunRecord, ...]
    """Records of all runs, from their own folders."""
    digests: Mapping[str, Any]
    """The digests on record; empty if none were written."""
    graded: Collection[str] | None
    """The runs that had a verdict when the results were written; None if that is unknown."""
    is_complete: bool
    """Whether the group's record has a verdict for each run: it was written after the results."""
    is_closed: bool
    """Whether the harness closed the group, so that no kill explains anything."""


def check_results(results: Results, present: Collection[str]) -> Iterator[Finding]:
    """Yield what is wrong with the results of a group.

    Parameters
    ----------
    results
        What they must agree with.
    present
        The names in the group's folder.
    """
    everyone = {run.run_id for run in results.runs if run.status is Status.GRADED}
    is_finished = results.is_complete and len(everyone) == len(results.runs)
    now = dataclasses.replace(results, graded=everyone)
    is_due = results.graded is not None and everyone != set(results.graded)
    for name in NAMES:
        if name not in present:
            if results.digests or is_finished:
                yield find(name, f"It is missing. {REPEAT}")
            continue
        try:
            content = read_file(results.folder / name, MAX_RESULTS).decode()
        except (RunError, UnicodeDecodeError) as error:
            yield find(name, str(error) if isinstance(error, RunError) else "It is not text.")
            continue
        if not results.is_closed and (
            content == _now(results, name) or (is_due and name == SUBMISSIONS and _is_list(now, content))
        ):
            continue  # also if the harness was killed before it could record the digest
        if results.digests.get(name) != digest_of(content):
            yield find(name, "Its digest differs from the one on record.")
        elif is_finished and is_due:
            yield find(name, f"It is older than the last verdict. {REPEAT}")
        elif not (_is_report if name == GRADING_REPORT else _is_list)(results, content):
            yield find(name, "It does not agree with the records of the runs.")


def _now(results: Results, name: str) -> str:
    """Return what the harness would write now, in this place."""
    if name == GRADING_REPORT:
        return make_grading_report(results.runs)
    return list_submissions(results.folder, results.runs)


def _is_report(results: Results, content: str) -> bool:
    """Tell whether a grading report has the verdicts that there were when it was written."""
    graded = results.graded
    if graded is not None:
        return content == make_grading_report(run for run in results.runs if run.run_id in graded)
    if results.is_complete:
        return False
    try:
        rows = json.loads(content)["competition_reports"]
        known = iter([report_row(run.verdict) for run in results.runs if run.verdict is not None])
        return all(row in known for row in rows) and content == dump_grading_report(rows)
    except (ValueError, RecursionError, TypeError, KeyError):
        return False


def _is_list(results: Results, content: str) -> bool:
    """Tell whether a list of submissions names what the runs left, in this folder or where the group was before."""
    lines = content.splitlines(keepends=True)
    if len(lines) != len(results.runs):
        return False
    bases = set()
    for run, text in zip(results.runs, lines, strict=True):
        try:
            line = json.loads(text)
            if json.dumps(line) + "\n" != text or list(line) != ["competition_id", "submission_path", "logs_path"]:
                return False
        except (ValueError, RecursionError, TypeError):
            return False
        if line["competition_id"] != run.ref.label:
            return False
        for path, inner in ((line["submission_path"], SUBMISSION_PATH), (line["logs_path"], LOG_PATH)):
            is_known = results.graded is None or run.run_id in results.graded
            if is_known and run.status is Status.GRADED and (path is not None) != _has(results.folder, run, inner):
                return False
            if path is not None:
                end = f"/{run.run_id}/{inner}"
                if not isinstance(path, str) or not path.startswith("/") or not path.endswith(end):
                    return False
                bases.add(path.removesuffix(end))
    return len(bases) <= 1


def _has(folder: Path, run: RunRecord, inner: str) -> bool:
    path = folder / run.run_id / ATTEMPTS / str(run.attempt) / inner
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
