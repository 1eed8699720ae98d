"""The default sandbox: kernel namespaces made by bubblewrap. It needs no image and no daemon.

What a job sees: /usr (read-only), a few files in /etc, its own /proc, /dev, /tmp and loopback interface, /home as
`Job` describes it, and the harness's Python. It runs as a user other than root, has no capabilities, and can gain none.

What it can learn of the host besides: kernel and hardware (/proc), the path of the harness's Python, and the host paths
of its mounts (data, the four output folders and the sockets). The kernel shows these in /proc/self/mountinfo, and
nothing can hide them. So the names of folders on these paths must not contain secrets.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox.base import GUARANTEES, require_network
from mlebench.sandbox.bubblewrap_command import BubblewrapCommand
from mlebench.sandbox.entrypoint_config import choose_processors, make_config
from mlebench.sandbox.gpus import device_files, require_gpus, visible_devices
from mlebench.sandbox.home import create_home
from mlebench.sandbox.kernel import seccomp
from mlebench.sandbox.kernel.cgroup import ControlGroup, name_enforcement
from mlebench.sandbox.limits import OVERHEAD_PROCESSES
from mlebench.sandbox.paths import HARNESS_FOLDER, HOME_FOLDERS, JobPaths
from mlebench.sandbox.probe import probe
from mlebench.sandbox.supervision.channel import PipeChannel
from mlebench.sandbox.supervision.job_processes import NamespaceProcesses
from mlebench.sandbox.supervision.launch import Launch
from mlebench.sandbox.supervision.supervisor import supervise
from mlebench.sandbox.tokens import new_token
from mlebench.sandbox.users import choose_unused_uid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.kernel.cgroup import Enforcement
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.stop import StopSignal

_PATHS = JobPaths()
_NOT_INSTALLED = "bubblewrap is not installed. Run: apt-get install bubblewrap"
_NAMESPACE_ERRORS = ("namespace", "not permitted", "uid map", "RTM_NEWADDR")
"""What bwrap says where the kernel or a container engine forbids namespaces."""


class BubblewrapSandbox:
    """Runs a job in its own namespaces, as root or as a user who may create user namespaces.

    Parameters
    ----------
    control_groups : bool
        Whether to limit jobs by control groups where that is allowed.
    """

    name: ClassVar[str] = "bubblewrap"
    guarantees: ClassVar[Mapping[str, bool]] = MappingProxyType(dict.fromkeys(GUARANTEES, True))
    can_open_network: ClassVar[bool] = False
    """An open network would be the host's own, with its loopback and its abstract sockets."""

    def __init__(self, *, control_groups: bool = True) -> None:
        self._control_groups = control_groups

    @property
    def enforcement(self) -> Enforcement:
        """How limits on memory are enforced: by the kernel where the harness may create control groups."""
        return name_enforcement(by_kernel=self._control_groups and ControlGroup.is_allowed())

    def probe(self) -> str | None:
        """Run an empty job; return None if that works, or the reason why not and what to do about it."""
        if not shutil.which("bwrap"):
            return _NOT_INSTALLED
        if os.geteuid() == 0 and not shutil.which("setpriv"):
            return "setpriv is not installed. Run: apt-get install util-linux"
        problem = probe(self)
        if problem is None:
            return None
        if "Unknown option" in problem:
            return f"bubblewrap is too old: {problem} Install version 0.7 or newer."
        if any(text in problem for text in _NAMESPACE_ERRORS):
            return (
                f"This machine does not let bubblewrap create namespaces: {problem} Run as root, allow unprivileged "
                "user namespaces, or start the container around it with --security-opt seccomp=unconfined."
            )
        return problem

    def paths(self, job: Job) -> JobPaths:
        """Return where the job finds its files: below /home."""
        return _PATHS.with_python(job.python)

    def run(self, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
        """Run a job to its end; see `Sandbox.run`."""
        program = shutil.which("bwrap")
        if not program:
            raise SandboxUnavailableError(_NOT_INSTALLED)
        require_network(job.network, self)
        require_gpus(limits.gpus)
        user = choose_unused_uid() if os.geteuid() == 0 else None
        create_home(job, user)
        paths = self.paths(job)
        token = new_token()
        with ExitStack() as stack:
            group = ControlGroup.create(token, limits) if self._control_groups else None
            if group:
                stack.callback(group.remove)
            sockets = [HARNESS_FOLDER / f"{forward.port}.sock" for forward in job.port_forwards]
            command = BubblewrapCommand(user)
            command.mount_system(device_files(limits.gpus))
            command.mount_python(job.python)
            command.require_hidden(job.data, job.home)
            command.mount_read_only(job.data, _PATHS.data)
            command.add_file(job.instructions.read_bytes(), _PATHS.instructions, 0o644)
            for tool in sorted(job.tools.iterdir()) if job.tools else ():
                if tool.is_file():
                    command.add_file(tool.read_bytes(), _PATHS.home / tool.name, 0o755)
            for name in HOME_FOLDERS:
                command.mount_writable(job.home / name, _PATHS.home / name)
            for forward, path in zip(job.port_forwards, sockets, strict=True):
                command.mount_read_only(forward.socket, path)
            source, status = os.pipe()
            entrypoint_status = os.dup(status)  # bwrap does not pass on the first
            config = make_config(job, limits, sockets=sockets, python=paths.python, rlimits=_process_limit(limits))
            channel = PipeChannel(source, config)
            stack.callback(channel.close)
            variables = paths.environment(job, limits) | {"CUDA_VISIBLE_DEVICES": visible_devices(limits.gpus)}
            processors = None if group else choose_processors(limits.cpus)
            if seccomp.is_supported():
                content = seccomp.make_filter(kernel_enforces=group is not None, pins_processors=bool(processors))
                command.filter_calls(content)
            options = command.write_options(status, variables)
            first = command.first_command(channel.config_source, entrypoint_status)
            launch = Launch(
                sandbox=self.name,
                argv=(program, "--args", str(options), "--", *first),
                environment={},
                folder=Path("/"),
                channel=channel,
                processes=NamespaceProcesses(),
                token=token,
                descriptors=(status, entrypoint_status, channel.config_source, options, *command.descriptors),
                user=user,
                group=group,
                processors=processors,
                facts={"gpus": limits.gpus},
            )
            return supervise(launch, job, limits, stop=stop, events=events)


def _process_limit(limits: Limits) -> dict[str, int]:
    """Return the resource limit on processes.

    The kernel counts by user, so the limit is exact: with root's rights each job has its own user, without them its own
    user namespace.
    """
    return {} if limits.processes is None else {"RLIMIT_NPROC": limits.processes + OVERHEAD_PROCESSES}
