"""Checking the record of a group: its copies of the records of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.runs.layout import METADATA
from mlebench.runs.record import GroupRecord, RunRecord, Status, digest_of
from mlebench.runs.verify.finding import Finding, find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.runs.verify.held import Held


def is_complete(record: GroupRecord) -> bool:
    """Tell whether the group's record has a verdict for each run: it was written after the results."""
    return all(run.status is Status.GRADED for run in record.runs.values())


def check_copies(held: Held, runs: dict[str, RunRecord]) -> Iterator[Finding]:
    """Check the copies of the runs' records in the group's own.

    They are written when the group is opened, has ended, and is closed. So a killed harness leaves older copies.
    """
    for run_id, copy in held.record.runs.items():
        run = runs.get(run_id, copy.as_planned)
        if held.record.log is not None:
            is_copy = digest_of(copy.as_file()) in _possible_copies(held, copy)
        else:
            is_finished = bool(held.record.results)
            old = run.model_copy(update={"regrades": copy.regrades})
            is_regraded = copy.regrades == run.regrades[: len(copy.regrades)] and copy == old
            is_copy = copy == run or is_regraded or (not is_finished and copy.status is not Status.GRADED)
        if not is_copy:
            yield find(METADATA, f"Its copy of {run_id} differs from the record of the run.")


def _possible_copies(held: Held, copy: RunRecord) -> list[str]:
    """Return the digests of the records of a run that the group's own record may hold.

    The last one if the group was closed; after a kill also those since the results that the group's record names.
    """
    history, planned = held.history, digest_of(copy.as_planned.as_file())
    records = [planned, *(step.record for step in history.steps.get(copy.run_id, ()))]
    if held.is_closed:
        return records[-1:]
    is_settled = history.results and held.record.results == history.results[-1]
    return records[history.settled.get(copy.run_id, 0) :] if is_settled else records
