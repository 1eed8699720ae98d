"""Cleaning up after a harness that was itself killed."""

from __future__ import annotations

import signal

from mlebench.sandbox import processes
from mlebench.sandbox.cgroup import ControlGroup


def sweep() -> int:
    """Kill what harness processes that are gone have left running; return how many there were.

    Bubblewrap and the minder end with the harness, so there is rarely anything. What belongs to a harness
    that is alive, or lives in another container, is left alone.
    """
    killed = 0
    for group in ControlGroup.orphans():
        killed += len(group.members())
        group.kill()
        group.remove()
    while strays := [stray for stray, job in processes.marked() if processes.is_orphaned(job)]:
        killed += sum(processes.send(stray, signal.SIGKILL) for stray in strays)
    return killed
