"""What a job may use."""

from __future__ import annotations

from dataclasses import dataclass

MiB = 1024**2
GiB = 1024**3

OVERHEAD_PROCESSES = 8
"""Processes and threads of the sandbox itself, such as the forwarder, that are allowed beyond a job's limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use. `None` means no limit."""

    seconds: float = 24 * 3600
    """Wall time from the start of the job's command. At its end the job gets SIGTERM."""
    grace: float = 10.0
    """Seconds between SIGTERM and SIGKILL, to save a submission."""
    cpus: float | None = None
    """Number of CPU cores."""
    memory: int | None = None
    """Bytes of memory, summed over all processes of the job. When it runs out, the largest process is killed, as in a
    container, and the job may go on without it."""
    processes: int | None = 512
    """Processes and threads at the same time."""
    disk: int | None = 32 * GiB
    """Bytes on disk that the job may write into its own folders. Each file counts as at least 4 KiB."""
    log: int = 64 * MiB
    """Bytes of standard output and error that are kept. Further bytes are counted and dropped."""
    warning: float | None = None
    """Seconds before the time limit at which the job is warned by a file in its `logs`; 0 for no warning. `None` is a
    twentieth of the time, at least 1 and at most 15 minutes, and never more than half of the time."""
    gpus: tuple[int, ...] | None = None
    """Numbers of the GPUs that the job sees, as `nvidia-smi` counts them. `None` is no GPU."""

    @property
    def warning_seconds(self) -> float:
        """Seconds before the time limit at which the job is warned; 0 for no warning."""
        if self.warning is not None:
            return min(self.warning, self.seconds)
        return min(max(60.0, self.seconds / 20), 900.0, self.seconds / 2)
