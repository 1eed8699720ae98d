"""What a job may use."""

from __future__ import annotations

from dataclasses import dataclass

MiB = 1024**2
GiB = 1024**3


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use. `None` means that the sandbox does not bound it."""

    seconds: float = 24 * 3600
    """Wall time from the start of the job's command; at its end the job gets SIGTERM."""
    grace: float = 10.0
    """Seconds between SIGTERM and SIGKILL, to save a submission."""
    cpus: float | None = None
    memory: int | None = None
    """Bytes of memory, summed over all processes of the job. As in a container, the largest process is
    killed when it runs out, and the job may go on without it."""
    processes: int | None = 512
    """Processes and threads at the same time."""
    disk: int | None = 32 * GiB
    """Bytes on disk that the job may write into its own folders; any file, even an empty one, counts as 4 KiB."""
    log: int = 64 * MiB
    """Bytes of standard output and error that are kept; what comes after is counted and dropped."""
    warning: float | None = None
    """Seconds before the end of the time at which a note is left in the job's `logs`; 0 leaves none. `None`
    is a twentieth of the time, at least a minute and at most 15, but never more than half of the time."""
    gpus: tuple[int, ...] | None = None
    """Numbers of the GPUs that the job sees, as `nvidia-smi` counts them; without, it sees none."""

    @property
    def warning_seconds(self) -> float:
        """How long before the end of the time the job is warned; 0 is not at all."""
        if self.warning is not None:
            return min(self.warning, self.seconds)
        return min(max(60.0, self.seconds / 20), 900.0, self.seconds / 2)
