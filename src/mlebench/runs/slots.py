"""How many runs fit on this machine at the same time, and which GPUs each gets."""

from __future__ import annotations

import os
import queue
import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.errors import EnvironmentUnfitError, UsageError
from mlebench.ground.wording import count
from mlebench.sandbox.limits import GiB

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mlebench.sandbox.limits import Limits


_FILES = 256
_FILES_OF_A_RUN = 40
"""Twice the measured number: pipes, sockets, logs, and files that start a sandbox."""


class Slots:
    """Slots for runs, each with its own GPUs; a run waits for a free slot."""

    def __init__(self, number: int, gpus_each: int = 0, gpus: Sequence[int] = ()) -> None:
        if gpus_each * number > len(gpus):
            raise UsageError(
                f"{number} runs at a time with {count(gpus_each, 'GPU')} each need {gpus_each * number}, "
                f"and this machine has {len(gpus)}. Use a smaller --parallel."
            )
        self.number = number
        self._free: queue.SimpleQueue[tuple[int, ...]] = queue.SimpleQueue()
        for slot in range(number):
            self._free.put(tuple(gpus[slot * gpus_each : (slot + 1) * gpus_each]))

    @contextmanager
    def take(self) -> Iterator[tuple[int, ...]]:
        """Wait for a free slot; yield the indices of its GPUs."""
        gpus = self._free.get()
        try:
            yield gpus
        finally:
            self._free.put(gpus)


def fitting(limits: Limits, *, gpus_each: int, gpus: int) -> int:
    """Return how many runs with these limits fit on this machine; EnvironmentUnfitError if not even one does."""
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
                f"A run may use {needed:.4g} {what} and this machine has {there:.4g}. Use less with {option}."
            )
        if needed:
            number = min(number, int(there / needed))
    return max(1, number)


def raise_file_limit(runs: int) -> None:
    """Allow this process the open files that so many more runs need; EnvironmentUnfitError if the system refuses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = _FILES + _FILES_OF_A_RUN * runs
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            raise EnvironmentUnfitError(
                f"{runs} runs at a time need {needed} open files and the system allows {hard}. "
                "Use a smaller --parallel, or raise the limit (ulimit -Hn)."
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
