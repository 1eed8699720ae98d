"""The sandbox without protection: a process of the same user, for machines where nothing better works."""

from __future__ import annotations

import logging
import os
import resource
import sys
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from mlebench.sandbox.base import GUARANTEES
from mlebench.sandbox.entrypoint_config import ENTRYPOINT, make_config
from mlebench.sandbox.gpus import require_gpus, visible_devices
from mlebench.sandbox.home import create_home
from mlebench.sandbox.kernel.cgroup import ControlGroup, name_enforcement
from mlebench.sandbox.kernel.process_table import list_processes
from mlebench.sandbox.paths import JobPaths
from mlebench.sandbox.supervision.channel import PipeChannel
from mlebench.sandbox.supervision.job_processes import SubreaperProcesses
from mlebench.sandbox.supervision.launch import Launch
from mlebench.sandbox.supervision.supervisor import supervise
from mlebench.sandbox.tokens import TOKEN_VARIABLE, new_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.kernel.cgroup import Enforcement
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.stop import StopSignal

_log = logging.getLogger(__name__)

_WARNING = "NO ISOLATION: the agent can read this account's files and use the network"


class ProcessSandbox:
    """Runs a job as a plain process. It enforces limits and provides no isolation.

    There is no /home/data: the job finds its files by the environment variables that every sandbox sets.

    Parameters
    ----------
    control_groups : bool
        Whether to limit jobs by control groups where that is allowed.
    """

    name: ClassVar[str] = "process"
    guarantees: ClassVar[Mapping[str, bool]] = MappingProxyType(dict.fromkeys(GUARANTEES, False))
    can_open_network: ClassVar[bool] = True
    """The network is always open."""

    def __init__(self, *, control_groups: bool = True) -> None:
        self._control_groups = control_groups

    @property
    def enforcement(self) -> Enforcement:
        """How limits on memory are enforced: by the kernel where the harness may create control groups."""
        return name_enforcement(by_kernel=self._control_groups and ControlGroup.is_allowed())

    def probe(self) -> str | None:
        """Return None: this sandbox works wherever the harness does."""
        return None

    def paths(self, job: Job) -> JobPaths:
        """Return where the job finds its files: at their real paths."""
        return JobPaths(
            data=job.data.resolve(),
            instructions=job.instructions.resolve(),
            home=job.home.resolve(),
            tools=job.tools.resolve() if job.tools else None,
        ).with_python(job.python)

    def run(self, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
        """Run a job to its end; see `Sandbox.run`."""
        require_gpus(limits.gpus)
        _log.warning("%s (run %s).", _WARNING, job.name)
        events("no_isolation", message=_WARNING)
        events("network_open")
        create_home(job, None)
        paths = self.paths(job)
        token = new_token()
        variables = paths.environment(job, limits)
        variables |= {TOKEN_VARIABLE: token, "CUDA_VISIBLE_DEVICES": visible_devices(limits.gpus)}
        with ExitStack() as stack:
            group = ControlGroup.create(token, limits) if self._control_groups else None
            if group:
                stack.callback(group.remove)
            source, status = os.pipe()
            config = make_config(
                job,
                limits,
                sockets=[forward.socket.resolve() for forward in job.port_forwards],
                python=paths.python,
                harness=os.getpid(),
                rlimits=_process_limit(limits),
            )
            channel = PipeChannel(source, config)
            stack.callback(channel.close)
            launch = Launch(
                sandbox=self.name,
                argv=(sys.executable, "-I", "-S", str(ENTRYPOINT), str(channel.config_source), str(status)),
                environment=variables,
                folder=Path(paths.home) / "agent",
                channel=channel,
                processes=SubreaperProcesses(token),
                token=token,
                descriptors=(status, channel.config_source),
                group=group,
                facts={"gpus": limits.gpus},
            )
            return supervise(launch, job, limits, stop=stop, events=events)


def _process_limit(limits: Limits) -> dict[str, int]:
    """Return a resource limit that bounds what a fork bomb can do between two checks.

    The kernel counts all processes and threads of the account, so the limit is the present number plus a generous
    margin. It does not apply to root.
    """
    if limits.processes is None:
        return {}
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    limit = sum(process.threads for process in list_processes()) + 4 * limits.processes
    return {} if hard != resource.RLIM_INFINITY and hard <= limit else {"RLIMIT_NPROC": limit}
