"""A job that a sandbox has made ready to start."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mlebench.sandbox.supervision.channel import Channel
    from mlebench.sandbox.supervision.job_processes import JobProcesses


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What to start for a job, and how to talk to it and hold its processes together."""

    sandbox: str
    """Name of the sandbox."""
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    """All environment variables of what is started."""
    folder: Path
    """Working folder of what is started."""
    channel: Channel
    """Where messages of the first process arrive."""
    processes: JobProcesses
    token: str
    """Token of the job; see `tokens`."""
    descriptors: tuple[int, ...] = ()
    """File descriptors to pass on. They are closed here after the start."""
    user: int | None = None
    """Owner of the output pipe, so that the job can open /dev/stdout."""
    uses_control_groups: bool = True
    """Whether to make a control group for the job, where that is allowed."""
    engine_enforces: bool = False
    """Whether a container engine has the kernel enforce the limits on memory and processes."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the event `started`."""
