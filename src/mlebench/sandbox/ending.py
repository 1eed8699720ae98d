"""How a job can end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a job ended."""

    FINISHED = "finished"
    """It ended by itself with exit code 0."""
    CRASHED = "crashed"
    """It ended by itself with another exit code."""
    TIME = "time"
    MEMORY = "memory"
    DISK = "disk"
    BUDGET = "budget"
    """What it may spend on models was used up."""
    PROCESSES = "processes"
    """Only where the kernel cannot refuse one process too many, so that the sandbox has to end the job."""
    STOPPED = "stopped"
    """The harness was told to stop; the run counts as not made."""
    HARNESS = "harness"
    """The sandbox itself failed; the run counts as not made."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ended, as seen from outside."""

    reason: Reason
    exit_code: int | None
    seconds: float
    detail: str = ""
    """One sentence for people, empty when there is nothing to add."""
    peak_memory: int | None = None
