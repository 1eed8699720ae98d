"""The default sandbox: kernel namespaces arranged by bubblewrap, no image and no daemon needed.

What a job sees: /usr (read-only), a handful of files in /etc, its own /proc, /dev, /tmp and loopback
interface, /home as `base.Job` describes it, and the harness's Python. It runs as a user who is not root,
without capabilities, and can gain none.

What it can learn of the host besides: kernel and hardware (/proc), the path of the harness's Python, and the
host paths of what is mounted (data, the four output folders and the sockets), which the kernel tells in
/proc/self/mountinfo and nobody can hide. So names of folders on these paths are no place for secrets.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import gpus
from mlebench.sandbox.base import GUARANTEES, require_network
from mlebench.sandbox.channel import PipeChannel
from mlebench.sandbox.home import make_home
from mlebench.sandbox.keeper import NamespaceKeeper
from mlebench.sandbox.paths import HOME_FOLDERS, JobPaths
from mlebench.sandbox.plan import OWN_PROCESSES, memory_file, plan
from mlebench.sandbox.probe import probe
from mlebench.sandbox.supervisor import Launch, supervise
from mlebench.sandbox.tokens import new_token
from mlebench.sandbox.users import choose_unused_uid
from mlebench.sandbox.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.stop import StopSignal

_SOCKETS = PurePath("/run/harness")
_PATHS = JobPaths()


class BubblewrapSandbox:
    """Runs a job in namespaces of its own; works as root and, with user namespaces, as anybody."""

    name: ClassVar[str] = "bubblewrap"
    guarantees: ClassVar[Mapping[str, bool]] = MappingProxyType(dict.fromkeys(GUARANTEES, True))
    can_open_network: ClassVar[bool] = False
    """An open network would be the host's own, with its loopback and its abstract sockets."""

    def __init__(self, *, control_groups: bool = True) -> None:
        self._control_groups = control_groups

    def probe(self) -> str | None:
        """Run an empty job; return None if that worked, else one sentence with the reason and the way out."""
        if not shutil.which("bwrap"):
            return "bubblewrap is not installed; install it with: apt-get install bubblewrap."
        if os.geteuid() == 0 and not shutil.which("setpriv"):
            return "setpriv is not installed; install it with: apt-get install util-linux."
        obstacle = probe(self)
        if obstacle is None:
            return None
        if "Unknown option" in obstacle:
            return f"bubblewrap is too old ({obstacle}); version 0.7 or newer is needed."
        if any(word in obstacle for word in ("namespace", "not permitted", "uid map", "RTM_NEWADDR")):
            return (
                f"this machine does not let bubblewrap make namespaces ({obstacle}); run as root, allow "
                "unprivileged user namespaces, or start the container with --security-opt seccomp=unconfined."
            )
        return obstacle

    def paths(self, job: Job) -> JobPaths:
        """Return where the job finds its things: below /home, as everywhere in the field."""
        return _PATHS.with_python(job.python)

    def run(self, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
        """Run a job to its end; return only when no process of it is left."""
        program = shutil.which("bwrap")
        if not program:
            raise SandboxUnavailableError("bubblewrap is not installed; install it with: apt-get install bubblewrap.")
        require_network(job.network, self)
        gpus.require(limits.gpus)
        user = choose_unused_uid() if os.geteuid() == 0 else None
        make_home(job, user)
        with ExitStack() as stack:
            source, status = os.pipe()
            channel = PipeChannel(source)
            stack.callback(channel.close)
            second = os.dup(status)  # bwrap keeps the first for itself
            view = View(user)
            view.show_system(gpus.device_files(limits.gpus))
            view.show_python(job.python)
            view.refuse_if_shown(job.data, job.home)
            view.show_read_only(job.data, _PATHS.data)
            view.add_file(job.instructions.read_bytes(), _PATHS.instructions, 0o644)
            for tool in sorted(job.tools.iterdir()) if job.tools else ():
                if tool.is_file():
                    view.add_file(tool.read_bytes(), _PATHS.home / tool.name, 0o755)
            for name in HOME_FOLDERS:
                view.show_writable(job.home / name, _PATHS.home / name)
            sockets = [_SOCKETS / f"{forward.port}.sock" for forward in job.port_forwards]
            for forward, path in zip(job.port_forwards, sockets, strict=True):
                view.show_read_only(forward.socket, path)
            # The kernel counts by user, so this is exact: with root's rights each job has a user of its own,
            # without them a user namespace of its own.
            own = {} if limits.processes is None else {"RLIMIT_NPROC": limits.processes + OWN_PROCESSES}
            paths = self.paths(job)
            content = plan(job, limits, sockets=sockets, python=paths.python, status=second, resources=own)
            plan_file = memory_file(content)
            variables = paths.environment(job, limits) | {"CUDA_VISIBLE_DEVICES": gpus.variable(limits.gpus)}
            options = view.options(status, variables)
            launch = Launch(
                sandbox=self.name,
                # Options come by a file: the command line of the first process is readable inside.
                arguments=(program, "--args", str(options), "--", *view.command(plan_file)),
                environment={},
                folder=Path("/"),
                channel=channel,
                descriptors=(status, second, plan_file, options, *view.descriptors),
                token=new_token(),
                facts={"gpus": limits.gpus},
                keeper=NamespaceKeeper(),
                user=user,
                control_groups=self._control_groups,
            )
            return supervise(launch, job, limits, stop=stop, events=events)
