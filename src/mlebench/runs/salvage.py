"""Salvaging a run that ended badly: its last valid submission is taken from the snapshots."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.grading.check import VALID
from mlebench.ground.files import is_machine_failure, open_regular
from mlebench.sandbox.ending import Reason

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.runs.snapshots import Snapshot, Snapshots
    from mlebench.sandbox.base import EventSink

CUT_SHORT = frozenset({Reason.TIME, Reason.MEMORY, Reason.DISK, Reason.PROCESSES, Reason.BUDGET, Reason.CRASHED})
"""Endings that may have interrupted the agent while it wrote. After any other, its submission counts unchanged."""
ATTIC = "at_the_end.csv"
"""Name, in the attempt's folder, of what was in the place of the submission at the end."""
SECONDS = 120.0
"""Time after which no other snapshot is checked. Agents decide how many there are and how long a check takes."""
_PARTIAL = ".salvaged.csv"


class CheckedFiles:
    """An event sink that remembers what the submission check said about files, by digest.

    Parameters
    ----------
    check
        Checks a file: returns `VALID` or what is wrong.
    events
        Receives all events.
    """

    def __init__(self, check: Callable[[Path], str], events: EventSink) -> None:
        self._check = check
        self._events = events
        self._answers: dict[str | None, str] = {}

    def __call__(self, kind: str, /, **facts: object) -> None:
        if kind == "check" and facts.get("status") == 200:
            self._answers[str(facts["sha256"])] = str(facts["answer"])
        self._events(kind, **facts)

    def check(self, path: Path, digest: str | None) -> str:
        """Return `VALID` or what is wrong with a file; one of a known digest is not checked again."""
        if digest in self._answers:
            return self._answers[digest]
        try:
            answer = self._check(path)
        except RunError as error:
            self._events("incident", step="checking a submission", message=str(error))
            return str(error)
        if digest is not None:
            self._answers[digest] = answer
        return answer


def salvage(
    submission: Path,
    reason: Reason,
    snapshots: Snapshots,
    files: CheckedFiles,
    events: EventSink,
    *,
    seconds: float = SECONDS,
) -> str | None:
    """Replace a missing or invalid submission by the last valid snapshot; return a sentence if that was done.

    What was in its place, of any kind, is moved to the attempt's folder, where no agent chooses names.

    Parameters
    ----------
    submission
        Path of the collected submission; anything may be there.
    reason
        Why the run ended.
    snapshots
        The submissions during the run.
    files
        Checks submissions, and knows those that the agent had checked.
    events
        Receives `salvaged`, or `salvage_stopped` if the time was too short for all snapshots.
    seconds
        Time after which no other snapshot is checked.

    Raises
    ------
    OSError
        This machine failed, such as a full disk.
    """
    if reason not in CUT_SHORT or not snapshots.taken:
        return None
    until = time.monotonic() + seconds
    there = os.path.lexists(submission)
    problem = files.check(submission, _digest(submission, snapshots.max_bytes)) if there else "There is none."
    if problem == VALID:
        return None
    newest: dict[str, Snapshot] = {}
    for snapshot in reversed(snapshots.taken):
        newest.setdefault(snapshot.sha256, snapshot)
    for place, snapshot in enumerate(newest.values()):
        if time.monotonic() > until:
            events("salvage_stopped", seconds=seconds, unchecked=len(newest) - place)
            return None
        if files.check(snapshots.path(snapshot), snapshot.sha256) == VALID:
            _put_in_place(snapshots.path(snapshot), submission)
            events("salvaged", sha256=snapshot.sha256, seconds=snapshot.seconds, fault=problem)
            return f"It is the submission of second {snapshot.seconds:.0f}; at the end: {problem}"
    return None


def _digest(path: Path, max_bytes: int) -> str | None:
    """Return the SHA-256 of a file, or None if it is no regular file or too large for a submission."""
    try:
        with open_regular(path) as file:
            is_small = os.fstat(file.fileno()).st_size <= max_bytes
            return hashlib.file_digest(file, "sha256").hexdigest() if is_small else None
    except OSError as error:
        if is_machine_failure(error):
            raise
        return None


def _put_in_place(kept: Path, submission: Path) -> None:
    attempt = submission.parents[1]
    partial = attempt / _PARTIAL
    try:
        shutil.copyfile(kept, partial)
        if os.path.lexists(submission):
            submission.rename(attempt / ATTIC)
        submission.parent.mkdir(exist_ok=True)
        partial.rename(submission)
    finally:
        partial.unlink(missing_ok=True)
