"""What a sandbox is: the job it runs, the limits it enforces from outside, and how a job can end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.paths import JobPaths
    from mlebench.sandbox.stop import StopSignal


class EventSink(Protocol):
    """Receives what crosses the border of the sandbox: a kind and flat facts about it.

    Sandboxes, the collector and the submission check say:

    - `started`: `sandbox`; `enforcement` is `cgroup v1`, `cgroup v2` or `polling`; `gpus`; in a container
      `image`, the id of its image
    - `no_isolation`: `message`; the job runs unprotected
    - `network_open`: the job has a network beside the holes
    - `hole`: `variables` (their names), `port`; one way out is open
    - `warning`: `seconds` that were left when the job was told so; `written` is false where it prevented that
    - `limit`: `limit` (`time`, `memory`, `processes`, `disk`, `log` or `checks`), `value` when it was seen, `bound`
    - `ended`: `reason`, `exit_code`, `seconds`, `peak_memory`, `output` and `dropped` bytes of the log
    - `refused`: `path`, `why`; something that the job left behind was not collected
    - `check`: `size`, `sha256`, `status`, `answer`; a submission was checked

    Calls may come from several threads.
    """

    def __call__(self, kind: str, /, **facts: object) -> None: ...


GUARANTEES = ("answers", "network", "processes", "host_files", "read_only_data", "user", "memory")
"""What a sandbox may protect; `network` for jobs whose network is closed."""


class Sandbox(Protocol):
    """A way to run a job. Implementations keep no state between jobs and may be used from many threads."""

    @property
    def name(self) -> str: ...

    @property
    def guarantees(self) -> Mapping[str, bool]:
        """Which of `GUARANTEES` it protects."""
        ...

    @property
    def can_open_network(self) -> bool:
        """Whether a job can have an open network; others are refused with UsageError."""
        ...

    def probe(self) -> str | None:
        """Return None if the sandbox works on this machine, else a sentence with reason and way out."""
        ...

    def paths(self, job: Job) -> JobPaths:
        """Return where the job finds its things, as it sees them."""
        ...

    def run(self, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
        """Run a job to its end; return only when no process of it is left. `orders` may end it early."""
        ...
