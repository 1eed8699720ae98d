"""Checking a run or a group against its own record: was anything changed, removed or added?

group     the folder of a group: the group's log, and what belongs to no single run
metadata  the record of a group: its plan, and its copies of the records of runs
held      Held: the record of a group and its log
results   the files for other programs, which are computed again from the records of the runs
run       the folder of a run: its record, its attempts, and the links to the last one
attempt   the folder of an attempt: its chain of events, and its files against the seal
finding   Finding: a disagreement

Nothing here trusts the folder: a link is not followed, a pipe is not waited for, and what cannot be read is a finding.
The report, its pages and its plots are derived by `mlebench report` and are not checked.

This finds accidental changes, and changes by someone who does not build all chains again. To detect a rebuilt record,
keep the digest that `mlebench verify` prints in another place.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from mlebench.errors import RunError
from mlebench.runs.chain import MAX_BYTES, read_chain
from mlebench.runs.layout import ATTEMPTS, EVENTS, GROUP_LOG, METADATA, RUN
from mlebench.runs.reader import read_group
from mlebench.runs.record import Status
from mlebench.runs.untrusted import Kind, list_folder, read_digest
from mlebench.runs.verify.finding import Finding
from mlebench.runs.verify.group import check_group, check_run_of_group
from mlebench.runs.verify.run import check_run

__all__ = ["Finding", "fingerprint", "remarks", "verify"]


def verify(folder: Path | str) -> list[Finding]:
    """Check the folder of a run or a group.

    Parameters
    ----------
    folder : Path or str
        The folder of a run or a group. A run in its group's folder is also checked against the group's log.

    Returns
    -------
    list of Finding
        The disagreements; empty if there are none.

    Raises
    ------
    RunError
        The folder is neither a run nor a group.
    """
    folder = Path(os.path.realpath(folder))  # Path.resolve raises at a loop of links
    if _is_group(folder):
        return list(check_group(folder))
    if not _is_run(folder):
        raise RunError(f"{folder} is neither a run nor a group: it has no {RUN} and no {METADATA}.")
    if {METADATA, GROUP_LOG} & list_folder(folder.parent).keys():
        return list(check_run_of_group(folder))
    return list(check_run(folder).findings)


def fingerprint(folder: Path) -> str:
    """Return a digest of the whole record of a run or a group.

    For a group with a log, it is the head of the log's chain. For others, it is the digest of the records and the logs
    of events.
    """
    if not _is_group(folder):
        return _digest_of_run(folder)
    if GROUP_LOG in list_folder(folder):
        return read_chain(folder / GROUP_LOG).head
    parts = [_digest_of_run(folder / run.run_id) for run in read_group(folder).runs if _is_run(folder / run.run_id)]
    return _join([*parts, read_digest(folder / METADATA, MAX_BYTES)])


def remarks(folder: Path) -> list[str]:
    """Return sentences about what the check of a group without findings does not cover."""
    if not _is_group(folder):
        return []
    group = read_group(folder)
    found = []
    if group.record.log is None:
        found.append(
            "This group has no group log, since an earlier version of mlebench started it: runs that were dropped or "
            "renamed together with the plan cannot be found."
        )
    if waiting := [run for run in group.runs if run.status is not Status.GRADED]:
        are = "is" if len(waiting) == 1 else "are"
        found.append(f"{len(waiting)} of {len(group.runs)} runs {are} not graded yet, so the digest will change.")
    return found


def _is_group(folder: Path) -> bool:
    """Tell whether a folder is a group's, also if some of its files are missing."""
    try:
        found = list_folder(folder)
        if METADATA in found or GROUP_LOG in found:
            return True
        if RUN in found or ATTEMPTS in found:
            return False
        return any(kind is Kind.FOLDER and RUN in list_folder(folder / name) for name, kind in found.items())
    except RunError:
        return False


def _is_run(folder: Path) -> bool:
    try:
        found = list_folder(folder)
    except RunError:
        return False
    return RUN in found or ATTEMPTS in found


def _digest_of_run(folder: Path) -> str:
    attempts = list_folder(folder / ATTEMPTS)
    logs = [folder / ATTEMPTS / name / EVENTS for name in attempts]
    return _join([read_digest(folder / RUN, MAX_BYTES), *(read_digest(log, MAX_BYTES) for log in logs if log.exists())])


def _join(parts: list[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
