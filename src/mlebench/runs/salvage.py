"""Salvaging a run that ended badly: its last valid submission is taken from the snapshots."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from mlebench.grading.check import VALID, check_submission
from mlebench.sandbox.ending import Reason

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.runs.snapshots import Snapshots
    from mlebench.sandbox.base import EventSink
    from mlebench.tasks.competition import Competition

CUT_SHORT = frozenset({Reason.TIME, Reason.MEMORY, Reason.DISK, Reason.PROCESSES, Reason.BUDGET, Reason.CRASHED})
"""Endings that may have interrupted the agent while it wrote. After any other, its submission counts unchanged."""
ATTIC = "at_the_end.csv"
"""File name, beside the submission, of the file that was there at the end."""


def salvage(
    submission: Path, reason: Reason, snapshots: Snapshots, competition: Competition, events: EventSink
) -> str | None:
    """Replace a missing or invalid submission by the last valid snapshot; return a sentence if that was done."""
    if reason not in CUT_SHORT or not snapshots.taken:
        return None
    problem = check_submission(submission, competition) if submission.is_file() else "There is none."
    if problem == VALID:
        return None
    for snapshot in reversed(snapshots.taken):
        kept = snapshots.path(snapshot)
        if check_submission(kept, competition) != VALID:
            continue
        if submission.is_file():
            submission.rename(submission.with_name(ATTIC))
        submission.parent.mkdir(exist_ok=True)
        shutil.copyfile(kept, submission)
        sentence = f"It is the submission of second {snapshot.seconds:.0f}; at the end: {problem}"
        events("salvaged", sha256=snapshot.sha256, seconds=snapshot.seconds, fault=problem)
        return sentence
    return None
