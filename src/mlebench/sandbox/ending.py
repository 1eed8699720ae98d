"""How a job can end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a job ended."""

    FINISHED = "finished"
    """It exited with code 0."""
    CRASHED = "crashed"
    """It exited with another code."""
    TIME = "time"
    MEMORY = "memory"
    DISK = "disk"
    BUDGET = "budget"
    """Its budget for models was used up."""
    PROCESSES = "processes"
    """It started too many processes, where the kernel cannot refuse them and the sandbox has to end the job."""
    STOPPED = "stopped"
    """The harness was told to stop. The run does not count."""
    HARNESS = "harness"
    """The sandbox itself failed. The run does not count."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a job has to end."""

    reason: Reason
    detail: str = ""
    """One sentence for people; empty if there is nothing to add."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ended, as seen from outside."""

    reason: Reason
    exit_code: int | None
    """As a shell gives it; None if the harness killed the job."""
    seconds: float
    """Wall time from the start of the job's command."""
    detail: str = ""
    """One sentence for people; empty if there is nothing to add."""
    peak_memory: int | None = None
    """Bytes."""
