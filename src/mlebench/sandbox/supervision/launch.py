"""A job that a sandbox has made ready to start."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from mlebench.sandbox.kernel.cgroup import ControlGroup
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
    group: ControlGroup | None = None
    """The job's control group; None where the harness may not make one, or the engine does."""
    processors: Collection[int] | None = None
    """Processors that the job must stay on; None where something else limits its share of them."""
    engine_enforces: bool = False
    """Whether a container engine has the kernel enforce the limits on memory and processes."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the event `started`."""


@contextmanager
def on_processors(processors: Collection[int] | None) -> Iterator[None]:
    """Start processes on these processors; this thread returns to its own. None changes nothing."""
    before = os.sched_getaffinity(0)
    try:
        if processors:
            os.sched_setaffinity(0, processors)
        yield
    finally:
        if processors:
            os.sched_setaffinity(0, before)
