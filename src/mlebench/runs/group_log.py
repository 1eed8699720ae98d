"""Writing the log of a group: one hash chain over the steps of all its runs.

An attempt's events are written by whoever runs it. The group's log has one writer, the process that holds the group's
lock. It adds the head of the attempt's chain and the digest of the run's record after each step. So the log's own head
covers the plan, the names of runs and attempts, their order, all records and all results.
"""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING, Self

from mlebench.errors import RunError
from mlebench.runs.chain import read_chain
from mlebench.runs.events import EventLog
from mlebench.runs.history import History, Step
from mlebench.runs.layout import GROUP_LOG

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mlebench.runs.record import GroupRecord, RunRecord


class GroupLog:
    """Appends to a group's log; its methods may be called from several threads."""

    def __init__(self, events: EventLog, history: History) -> None:
        self._events = events
        self._lock = threading.Lock()
        self._last = {run_id: steps[-1] for run_id, steps in history.steps.items()}
        self._options = history.options[-1] if history.options else None
        self.results = history.results[-1] if history.results else {}
        """The digests of the group's files for other programs, when they were last written."""

    @classmethod
    def open(cls, folder: Path, record: GroupRecord, *, is_new: bool) -> Self:
        """Open the log of a group, and create it if the group is new.

        Parameters
        ----------
        folder
            The group's folder.
        record
            The group's record.
        is_new
            Whether no run has started.

        Raises
        ------
        RunError
            The log is missing or was changed.
        """
        path = folder / GROUP_LOG
        if not path.exists() and not is_new:
            raise RunError(f"The log {path} of the group is missing. Restore it, or run in a new group.")
        chain = read_chain(path) if path.exists() else None
        events = EventLog(path, resume=chain is not None, durable=True).__enter__()
        history = History.of(chain.links if chain else ())
        if not events.number:
            runs = list(record.planned)
            events("opened", head=record.head_digest(), runs=runs, records=digest_of_records(record.planned.values()))
        return cls(events, history)

    def close(self) -> None:
        """Close the file."""
        self._events.__exit__()

    @property
    def head(self) -> str:
        """The chain's value after the last entry."""
        return self._events.head

    def last(self, run_id: str) -> Step | None:
        """Return the last step of a run, or None."""
        return self._last.get(run_id)

    def add(self, step: Step) -> None:
        """Append a step of a run."""
        with self._lock:
            self._events(
                step.kind,
                run=step.run,
                attempt=step.attempt,
                record=step.record,
                events=step.events,
                head=step.head,
            )
            self._last[step.run] = step

    def add_options(self, parallel: int, digest: str | None) -> None:
        """Append how many runs are made at a time, and the digest of `options.json`, unless they are as before."""
        with self._lock:
            options = {"parallel": parallel, "sha256": digest}
            if self._options is None or any(self._options.get(name) != value for name, value in options.items()):
                self._events("options", **options)
                self._options = options

    def add_results(self, digests: dict[str, str]) -> None:
        """Append the digests of the files for other programs, unless they are as before."""
        with self._lock:
            if digests != self.results:
                self._events("results", files=digests)
                self.results = digests


def digest_of_records(runs: Iterable[RunRecord]) -> str:
    """Return the SHA-256 of the records of several runs."""
    digest = hashlib.sha256()
    for run in runs:
        digest.update(run.as_file().encode())
    return digest.hexdigest()
