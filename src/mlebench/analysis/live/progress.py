"""The state of all runs: done, in progress, waiting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.ground.clock import now
from mlebench.runs.artifacts import EventText, read_last_events
from mlebench.runs.record import Status

if TYPE_CHECKING:
    from datetime import datetime

    from mlebench.analysis.model import RunResult, Summary
    from mlebench.analysis.sources import Sources
    from mlebench.runs.record import RunRecord

MAX_EVENTS = 5
"""Events of each run in progress."""
MAX_LATEST = 10


@dataclass(frozen=True, slots=True)
class RunningRun:
    """A run in progress, according to its record; its harness may have been killed."""

    run: RunResult
    seconds: float | None
    """Since its start."""
    events: tuple[EventText, ...]
    """The latest."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of all runs of some groups."""

    runs: int
    done: int
    running: tuple[RunningRun, ...]
    ungraded: tuple[RunResult, ...]
    """Ended, and not graded yet."""
    waiting: tuple[RunResult, ...]
    latest: tuple[RunResult, ...]
    """The runs that ended last, the last one first."""


def find_progress(summary: Summary, sources: Sources) -> Progress:
    """Return the state of all runs of a summary."""
    records = {group.folder / run.run_id: run for group in sources.groups for run in group.runs}
    runs = summary.all_runs()

    def record_of(run: RunResult) -> RunRecord | None:
        return records.get(run.folder) if run.folder else None

    ended: list[tuple[datetime, int]] = []
    for number, run in enumerate(runs):
        record = record_of(run) if run.finished else None
        if record and record.ended_at:
            ended.append((record.ended_at, number))
    return Progress(
        runs=len(runs),
        done=summary.runs_finished,
        running=tuple(_observe(run, record_of(run)) for run in runs if run.status is Status.RUNNING),
        ungraded=tuple(run for run in runs if run.status is Status.ENDED),
        waiting=tuple(run for run in runs if run.status is Status.PLANNED),
        latest=tuple(runs[number] for _, number in sorted(ended, reverse=True)[:MAX_LATEST]),
    )


def _observe(run: RunResult, record: RunRecord | None) -> RunningRun:
    started_at = record.started_at if record else None
    events = read_last_events(run.folder, run.attempts, MAX_EVENTS) if run.folder else []
    return RunningRun(run, (now() - started_at).total_seconds() if started_at else None, tuple(events))
