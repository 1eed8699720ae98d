"""How many runs fit on this machine at the same time, and which graphics processors each gets."""

from __future__ import annotations

import os
import queue
import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.errors import EnvironmentUnfitError, UsageError
from mlebench.sandbox.limits import GiB

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mlebench.sandbox.limits import Limits


_FILES = 256
_FILES_OF_A_RUN = 40
"""Twice what was measured: pipes, sockets, logs, and what a sandbox is started with."""


class Slots:
    """Places for runs, each with graphics processors of its own; a run waits until one is free."""

    def __init__(self, number: int, gpus_each: int = 0, gpus: Sequence[int] = ()) -> None:
        if gpus_each * number > len(gpus):
            raise UsageError(
                f"{number} runs at a time with {gpus_each} graphics processors each need {gpus_each * number}, "
                f"and there are {len(gpus)}; say a smaller --parallel."
            )
        self.number = number
        self._free: queue.SimpleQueue[tuple[int, ...]] = queue.SimpleQueue()
        for slot in range(number):
            self._free.put(tuple(gpus[slot * gpus_each : (slot + 1) * gpus_each]))

    @contextmanager
    def take(self) -> Iterator[tuple[int, ...]]:
        """Wait for a free place; yields the indices of its graphics processors."""
        gpus = self._free.get()
        try:
            yield gpus
        finally:
            self._free.put(gpus)


def fitting(limits: Limits, *, gpus_each: int, gpus: int) -> int:
    """Return how many runs under these limits fit on this machine.

    Raises EnvironmentUnfitError if not even one does.
    """
    import psutil

    cores, memory = os.cpu_count() or 1, psutil.virtual_memory().total
    bounds = (
        ("cores", limits.cpus or 1, cores, "--cpus"),
        ("GiB of memory", (limits.memory or 0) / GiB, memory / GiB, "--memory"),
        ("GPUs", gpus_each, gpus, "--gpus"),
    )
    number = cores
    for what, needed, there, option in bounds:
        if needed > there:
            raise EnvironmentUnfitError(
                f"A run may use {needed:.4g} {what} and this machine has {there:.4g}; say less with {option}."
            )
        if needed:
            number = min(number, int(there / needed))
    return max(1, number)


def raise_file_limit(runs: int) -> None:
    """Allow this process as many open files as that many runs at the same time need.

    Raises EnvironmentUnfitError if the system does not let it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = _FILES + _FILES_OF_A_RUN * runs
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            raise EnvironmentUnfitError(
                f"{runs} runs at a time need {needed} open files and the system allows {hard}; "
                "say a smaller --parallel, or raise the limit (ulimit -Hn)."
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
