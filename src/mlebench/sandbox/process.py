"""The sandbox that protects nothing: a process of the same user, for machines where nothing better works."""

from __future__ import annotations

import logging
import os
import resource
import sys
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from mlebench.sandbox import gpus
from mlebench.sandbox.base import GUARANTEES
from mlebench.sandbox.channel import PipeChannel
from mlebench.sandbox.home import make_home
from mlebench.sandbox.keeper import MinderKeeper
from mlebench.sandbox.paths import JobPaths
from mlebench.sandbox.plan import INSIDE, memory_file, plan
from mlebench.sandbox.process_table import list_processes
from mlebench.sandbox.supervisor import Launch, supervise
from mlebench.sandbox.tokens import TOKEN_VARIABLE, new_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.stop import StopSignal

_log = logging.getLogger(__name__)

_WARNING = "NO ISOLATION: the agent can read this account's files and use the network"


class ProcessSandbox:
    """Runs a job as a plain process. Limits are enforced; nothing else is.

    There is no /home/data here: the job finds its things by the variables that every sandbox sets.
    """

    name: ClassVar[str] = "process"
    guarantees: ClassVar[Mapping[str, bool]] = MappingProxyType(dict.fromkeys(GUARANTEES, False))
    can_open_network: ClassVar[bool] = True
    """It is always open."""

    def __init__(self, *, control_groups: bool = True) -> None:
        self._control_groups = control_groups

    def probe(self) -> str | None:
        """Return None: this works wherever the harness itself does."""
        return None

    def paths(self, job: Job) -> JobPaths:
        """Return where the job finds its things: where they really lie."""
        return JobPaths(
            data=job.data.resolve(),
            instructions=job.instructions.resolve(),
            home=job.home.resolve(),
            tools=job.tools.resolve() if job.tools else None,
        ).with_python(job.python)

    def run(self, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
        """Run a job to its end; return only when no process of it is left."""
        gpus.require(limits.gpus)
        _log.warning("%s (run %s).", _WARNING, job.name)
        events("no_isolation", message=_WARNING)
        events("network_open")
        make_home(job, None)
        paths = self.paths(job)
        token = new_token()
        with ExitStack() as stack:
            source, status = os.pipe()
            channel = PipeChannel(source)
            stack.callback(channel.close)
            descriptor = memory_file(
                plan(
                    job,
                    limits,
                    status=status,
                    sockets=[forward.socket.resolve() for forward in job.port_forwards],
                    python=paths.python,
                    harness=os.getpid(),
                    resources=_backstop(limits),
                )
            )
            launch = Launch(
                sandbox=self.name,
                arguments=(sys.executable, "-I", "-S", str(INSIDE), str(descriptor)),
                environment=paths.environment(job, limits)
                | {TOKEN_VARIABLE: token, "CUDA_VISIBLE_DEVICES": gpus.variable(limits.gpus)},
                folder=Path(paths.home) / "agent",
                channel=channel,
                descriptors=(status, descriptor),
                token=token,
                facts={"gpus": limits.gpus},
                keeper=MinderKeeper(token),
                control_groups=self._control_groups,
            )
            return supervise(launch, job, limits, stop=stop, events=events)


def _backstop(limits: Limits) -> dict[str, int]:
    """Bound what a fork bomb can do between two looks at it.

    The kernel counts all processes and threads of the account, so the bound is what runs now and a good deal
    more; it does not bind root.
    """
    if limits.processes is None:
        return {}
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    bound = sum(process.threads for process in list_processes()) + 4 * limits.processes
    return {} if hard != resource.RLIM_INFINITY and hard <= bound else {"RLIMIT_NPROC": bound}
