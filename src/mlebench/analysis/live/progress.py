"""What is done in run groups, what goes on, and what waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.analysis.remains import last_events
from mlebench.ground.clock import now
from mlebench.runs.record import Status

if TYPE_CHECKING:
    from mlebench.analysis.remains import Told
    from mlebench.analysis.report import Summary
    from mlebench.analysis.results import RunResult
    from mlebench.analysis.sources import Sources

EVENTS = 5
LATEST = 10


@dataclass(frozen=True, slots=True)
class Going:
    """A run that goes on, as far as its record says; its harness may have been killed."""

    run: RunResult
    seconds: float | None
    """Since it was started."""
    events: tuple[Told, ...]
    """The last few."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where all groups stand together."""

    runs: int
    done: int
    going: tuple[Going, ...]
    ungraded: tuple[RunResult, ...]
    """Ended, and not graded yet."""
    waiting: tuple[RunResult, ...]
    latest: tuple[RunResult, ...]
    """Those that ended last, the last one first."""


def find_progress(summary: Summary, sources: Sources) -> Progress:
    """Return where the groups of a summary stand now."""
    records = {
        folder / run.run_id: run
        for group, folder in zip(sources.groups, sources.folders, strict=True)
        for run in group.runs.values()
    }
    runs = summary.all_runs()
    ended = [
        (record.ended_at, number)
        for number, run in enumerate(runs)
        if run.finished and run.folder and (record := records.get(run.folder)) and record.ended_at
    ]
    moment = now()
    going = []
    for run in runs:
        if run.status is Status.RUNNING:
            record = records.get(run.folder) if run.folder else None
            began = record.started_at if record else None
            events = last_events(run.folder, run.attempts, EVENTS) if run.folder else []
            going.append(Going(run, (moment - began).total_seconds() if began else None, tuple(events)))
    return Progress(
        runs=len(runs),
        done=summary.runs_finished,
        going=tuple(going),
        ungraded=tuple(run for run in runs if run.status is Status.ENDED),
        waiting=tuple(run for run in runs if run.status is Status.PLANNED),
        latest=tuple(runs[number] for _, number in sorted(ended, reverse=True)[:LATEST]),
    )
