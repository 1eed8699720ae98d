"""Judges limits: from measured values to the limits that are exceeded, and to the cause that ends a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.sandbox.ending import Cause, Reason
from mlebench.sandbox.limits import OVERHEAD_PROCESSES

if TYPE_CHECKING:
    from mlebench.sandbox.limits import Limits

_MEMORY_FACTOR = 2
"""Where the kernel does not enforce the memory limit, a job that exceeds it by this factor ends: killing its largest
process was not enough."""


@dataclass(frozen=True, slots=True)
class ExceededLimit:
    """A limit that a job has met or exceeded."""

    limit: str
    """`time`, `memory`, `processes`, `disk` or `log`."""
    value: float
    """What was measured, in the unit of the limit."""
    bound: float
    """The limit."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What was measured of a job at one moment."""

    memory: int = 0
    """Bytes."""
    processes: int = 0
    """Processes and threads."""
    kills: int = 0
    """Processes killed so far because memory ran out."""
    refused: int = 0
    """Processes that the kernel has refused to start so far."""


def find_exceeded(usage: Usage, limits: Limits) -> list[ExceededLimit]:
    """Return the limits on memory and processes that a job has met or exceeded, or that the kernel has enforced."""
    found = []
    if limits.memory is not None and (usage.memory > limits.memory or usage.kills):
        found.append(ExceededLimit("memory", max(usage.memory, limits.memory), limits.memory))
    if limits.processes is not None and (usage.processes >= limits.processes or usage.refused):
        found.append(ExceededLimit("processes", max(usage.processes, limits.processes), limits.processes))
    return found


def judge_usage(usage: Usage, limits: Limits) -> Cause | None:
    """Return why a job has to end whose limits on memory and processes the kernel does not enforce, or None."""
    if limits.memory is not None and usage.memory > _MEMORY_FACTOR * limits.memory:
        return Cause(Reason.MEMORY, f"It used more than twice its {limits.memory} bytes of memory.")
    if limits.processes is not None and usage.processes > limits.processes + OVERHEAD_PROCESSES:
        detail = f"It ran {usage.processes} processes and threads where {limits.processes} are allowed."
        return Cause(Reason.PROCESSES, detail)
    return None


def judge_disk(used: int, limits: Limits) -> Cause | None:
    """Return why a job has to end that has written so many bytes, or None."""
    if limits.disk is None or used <= limits.disk:
        return None
    return Cause(Reason.DISK, f"It wrote more than {limits.disk} bytes into its folders.")


def is_time_up(elapsed: float, limits: Limits) -> bool:
    """Return whether a job has run longer than its time limit."""
    return elapsed > limits.seconds


def is_warning_due(elapsed: float, limits: Limits) -> bool:
    """Return whether a job has to be warned, if that has not been done yet, that its time is nearly up."""
    return 0 < limits.seconds - elapsed <= limits.warning_seconds
