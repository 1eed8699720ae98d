"""The protocol of a sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from mlebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.kernel.cgroup import Enforcement
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.network import Network
    from mlebench.sandbox.paths import JobPaths
    from mlebench.sandbox.stop import StopSignal

GUARANTEES = ("answers", "network", "processes", "host_files", "read_only_data", "user", "memory")
"""What a sandbox may protect. `network` applies to jobs whose network is closed. `memory` is that of the machine;
`Sandbox.enforcement` says how it is protected."""


class EventSink(Protocol):
    """Receives events: a kind and flat facts about it. Calls may come from several threads.

    The sandbox, the collector and the submission check send these kinds:

    - `started`: `sandbox`; `enforcement` is `cgroup v1`, `cgroup v2` or `polling`; `disk` is `volume` or `measured`;
      `gpus`; in a container `image`, the id of its image
    - `no_isolation`: `message`; the job runs unprotected
    - `network_open`: the job's network is open
    - `hole`: `variables` (their names), `port`; a port forward is ready
    - `warning`: `seconds` that were left when the job was warned; `written` is false if the job prevented that
    - `limit`: `limit` (`time`, `memory`, `processes`, `disk`, `log`, `checks`, `check_bytes` or
      `check_seconds`), the `value` measured, the `bound`
    - `ended`: `reason`, `exit_code`, `seconds`, `peak_memory`, and the bytes of the log: `output` kept, `dropped`
    - `refused`: `path`, `why`; a file that the job left behind was not collected
    - `check`: `size`, `sha256`, `status`, `answer`; a submission was checked; `exceeded` if that needed more than its
      bounds
    """

    def __call__(self, kind: str, /, **facts: object) -> None: ...


class Sandbox(Protocol):
    """A way to run jobs. Implementations keep no state between jobs and are thread-safe."""

    @property
    def name(self) -> str: ...

    @property
    def guarantees(self) -> Mapping[str, bool]:
        """Which of `GUARANTEES` it protects."""
        ...

    @property
    def can_open_network(self) -> bool:
        """Whether jobs may have an open network. If not, `run` raises UsageError for them."""
        ...

    @property
    def enforcement(self) -> Enforcement:
        """How it enforces limits on memory on this machine."""
        ...

    def probe(self) -> str | None:
        """Return None if the sandbox works on this machine, or the reason why not and what to do about it."""
        ...

    def paths(self, job: Job) -> JobPaths:
        """Return where the job finds its files, as paths inside the sandbox."""
        ...

    def run(self, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
        """Run a job to its end and return only when none of its processes is left.

        Parameters
        ----------
        job : Job
            The command and everything it may see.
        limits : Limits
            What it may use.
        stop : StopSignal
            Ends the job early, from any thread.
        events : EventSink
            Receives what happens at the border of the sandbox.

        Returns
        -------
        Ending
            Why and how the job ended.

        Raises
        ------
        SandboxUnavailableError
            If this machine cannot run the job.
        UsageError
            If the sandbox cannot give the job its network.
        """
        ...


def require_network(network: Network, sandbox: Sandbox) -> None:
    """Raise UsageError if a sandbox cannot give a job this network."""
    if network == "open" and not sandbox.can_open_network:
        raise UsageError(
            f"The sandbox {sandbox.name} cannot open the network: the job would reach servers that are private to this "
            "machine. Use --sandbox docker or podman with --network open."
        )
