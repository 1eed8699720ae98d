"""Measures a running job, reports the limits that it meets, and says when it has to end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from mlebench.sandbox.ending import Cause, Reason
from mlebench.sandbox.supervision.disk_meter import DiskMeter
from mlebench.sandbox.supervision.limit_checks import ExceededLimit, Usage, find_exceeded, judge_disk, judge_usage
from mlebench.sandbox.supervision.memory_meter import MemoryMeter
from mlebench.sandbox.supervision.throttle import Throttle

if TYPE_CHECKING:
    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.kernel.cgroup import ControlGroup
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.supervision.job_processes import JobProcesses

_PERIOD = 0.1
_MAX_SHARE = 0.25
"""Maximum share of the time that measuring memory may take."""


class LimitMonitor:
    """Watches the limits of one job.

    Parameters
    ----------
    job, limits
        The job and what it may use.
    processes : JobProcesses
        Its processes.
    group : ControlGroup or None
        The control group that the harness made for it.
    kernel_enforces : bool
        Whether the kernel enforces the limits on memory and processes. Otherwise the monitor does.
    events : EventSink
        Receives a `limit` event when a limit is met for the first time.
    """

    def __init__(
        self,
        job: Job,
        limits: Limits,
        processes: JobProcesses,
        group: ControlGroup | None,
        *,
        kernel_enforces: bool,
        events: EventSink,
    ) -> None:
        self.memory = MemoryMeter(limits.memory, group, kills=not kernel_enforces)
        self._limits = limits
        self._processes = processes
        self._kernel_enforces = kernel_enforces
        self._events = events
        self._disk = DiskMeter(job.home, limits.disk)
        self._throttle = Throttle(_PERIOD, _MAX_SHARE)
        self._refused = 0
        self._reported: set[str] = set()

    @property
    def has_volume(self) -> bool:
        """Whether the job's folders are on a file system of their own."""
        return self._disk.is_volume

    def check(self) -> Cause | None:
        """Measure what is due; return why the job has to end now, or None."""
        if self._throttle.is_due() and (cause := self._check_usage()):
            return cause
        return self._check_disk() if self._disk.is_due() else None

    def explain_crash(self) -> Cause | None:
        """Return why a job crashed whose file system is full: it met the limit itself, before the next check."""
        return self._check_disk() if self._disk.is_full() else None

    def find_lost_writes(self) -> Cause | None:
        """Return why a run does not count whose files the machine's disk had no room for, or None."""
        if not self._disk.has_lost_writes():
            return None
        return Cause(Reason.HARNESS, "The machine's disk is full, and has lost what the job wrote.")

    def close(self) -> None:
        """Close what is open."""
        self._disk.close()

    def report(self, exceeded: ExceededLimit) -> None:
        """Send a `limit` event, unless one was sent for the same limit."""
        if exceeded.limit not in self._reported:
            self._reported.add(exceeded.limit)
            self._events("limit", limit=exceeded.limit, value=exceeded.value, bound=exceeded.bound)

    def note_counts(self, *, kills: int, refused: int) -> None:
        """Take over the counts of a container: its control group is gone as soon as it ends."""
        self.memory.note_kills(kills)
        self._refused = max(self._refused, refused)

    def report_counts(self) -> None:
        """Report the limits that the kernel enforced since the last check."""
        self._report_usage(memory=0, processes=0)

    def _check_usage(self) -> Cause | None:
        began = time.monotonic()
        group = self.memory.group
        living = [] if group else self._processes.list_living()
        unmapped = 0 if group else self._processes.measure_unmapped()
        memory = self.memory.measure(living, unmapped)
        usage = self._report_usage(memory=memory, processes=sum(process.threads for process in living))
        self._throttle.record(began)
        return None if self._kernel_enforces else judge_usage(usage, self._limits)

    def _report_usage(self, *, memory: int, processes: int) -> Usage:
        usage = Usage(memory, processes, kills=self.memory.count_kills(), refused=self._count_refused())
        for exceeded in find_exceeded(usage, self._limits):
            self.report(exceeded)
        return usage

    def _count_refused(self) -> int:
        group = self.memory.group
        return max(self._refused, group.refused_processes() if group else 0)

    def _check_disk(self) -> Cause | None:
        used = self._disk.measure(self._processes.list_living)
        cause = judge_disk(used, self._limits)
        if cause and self._limits.disk is not None:
            self.report(ExceededLimit("disk", used, self._limits.disk))
        return cause
