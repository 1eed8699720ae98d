"""After a crash: the log of a group learns what the killed harness did last.

A harness may be killed between any two writes. A run is then at most one step ahead of the log, and an attempt may
have no seal. What no crash explains is left as it is, so that `verify` finds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.runs.chain import Chain, read_chain
from mlebench.runs.events import EventLog
from mlebench.runs.history import Step, is_ahead, kind_of
from mlebench.runs.layout import ATTEMPTS, EVENTS
from mlebench.runs.leftovers import sweep
from mlebench.runs.record import Status, digest_of
from mlebench.runs.seal import seal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mlebench.runs.group_log import GroupLog
    from mlebench.runs.record import RunRecord


def catch_up(folder: Path, runs: Iterable[RunRecord], log: GroupLog) -> None:
    """Log the steps that the killed harness made and did not log.

    Parameters
    ----------
    folder
        The group's folder.
    runs
        The records of the runs that have started.
    log
        The group's log.
    """
    for run in runs:
        last = log.last(run.run_id)
        if last is not None and last.record == digest_of(run.as_file()):
            continue
        chain = None if kind_of(run) == "started" else _read(_attempt(folder, run) / EVENTS)
        if is_ahead(last, run, chain):
            log.add(Step.of(run, len(chain.links), chain.head) if chain else Step.of(run))


def close_interrupted(folder: Path, runs: Iterable[RunRecord], log: GroupLog) -> None:
    """Seal the attempts that the killed harness was making, and log that they were interrupted.

    Parameters
    ----------
    folder
        The group's folder. No process of the killed harness works in it any more.
    runs, log
        As in `catch_up`, which comes first.
    """
    for run in runs:
        last = log.last(run.run_id)
        if run.status is not Status.RUNNING or last is None or last.kind != "started" or last.attempt != run.attempt:
            continue
        attempt = _attempt(folder, run)
        attempt.mkdir(parents=True, exist_ok=True)
        path = attempt / EVENTS
        chain = _read(path) if path.exists() else None
        if chain is not None and chain.broken is not None:
            continue
        sweep(attempt)
        with EventLog(path, resume=path.exists()) as events:
            events("interrupted")
            if chain is None or not chain.facts("sealed"):
                seal(attempt, events)
        log.add(Step.of(run, events.number, events.head, kind="interrupted"))


def _attempt(folder: Path, run: RunRecord) -> Path:
    return folder / run.run_id / ATTEMPTS / str(run.attempt)


def _read(path: Path) -> Chain | None:
    try:
        return read_chain(path)
    except RunError:
        return None
