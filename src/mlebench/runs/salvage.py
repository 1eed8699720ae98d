"""What a run that ended badly still has: the last submission that was in place and has the right form."""

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
"""Endings that may have come while the agent was writing. One that finished meant what it left."""
ATTIC = "at_the_end.csv"
"""Name beside the submission of what really lay there at the end."""


def salvage(
    submission: Path, reason: Reason, snapshots: Snapshots, competition: Competition, events: EventSink
) -> str | None:
    """Put the last good snapshot in place of a missing or broken submission; return a sentence if that was done."""
    if reason not in CUT_SHORT or not snapshots.taken:
        return None
    fault = check_submission(submission, competition) if submission.is_file() else "There is none."
    if fault == VALID:
        return None
    for snapshot in reversed(snapshots.taken):
        kept = snapshots.path(snapshot)
        if check_submission(kept, competition) != VALID:
            continue
        if submission.is_file():
            submission.rename(submission.with_name(ATTIC))
        submission.parent.mkdir(exist_ok=True)
        shutil.copyfile(kept, submission)
        sentence = f"It is the one that was in place after {snapshot.seconds:.0f} seconds; at the end: {fault}"
        events("salvaged", sha256=snapshot.sha256, seconds=snapshot.seconds, fault=fault)
        return sentence
    return None
