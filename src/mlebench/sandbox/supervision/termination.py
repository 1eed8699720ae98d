"""Ends a job with SIGTERM and a grace period."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlebench.sandbox.ending import Cause
    from mlebench.sandbox.supervision.job_processes import JobProcesses


class Termination:
    """Sends SIGTERM to the processes of a job, once, and counts the grace period.

    Parameters
    ----------
    processes : JobProcesses
        The processes of the job.
    grace : float
        Seconds that the job has to end by itself.
    """

    def __init__(self, processes: JobProcesses, grace: float) -> None:
        self.cause: Cause | None = None
        """Why the job was asked to end; None if it was not."""
        self._processes = processes
        self._grace = grace
        self._began = 0.0

    def begin(self, elapsed: float, cause: Cause) -> None:
        """Send SIGTERM; only the first cause counts. `elapsed` are the seconds that the job has run."""
        if self.cause is None:
            self.cause = cause
            self._began = elapsed
            self._processes.terminate()

    def is_over(self, elapsed: float) -> bool:
        """Return whether the grace period is over."""
        return self.cause is not None and elapsed > self._began + self._grace
