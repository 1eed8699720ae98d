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
import stat
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import processes
from mlebench.sandbox.base import Ending, Job, Limits, Reason
from mlebench.sandbox.plan import FOLDERS, OWN_PROCESSES, Places, memory_file, plan
from mlebench.sandbox.supervisor import Launch, supervise
from mlebench.sandbox.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.sandbox.base import EventSink

_SOCKETS = PurePath("/run/harness")
_PLACES = Places(
    data=PurePath("/home/data"),
    instructions=PurePath("/home/instructions.txt"),
    home=PurePath("/home"),
    tools=PurePath("/home"),
)


class BubblewrapSandbox:
    """Runs a job in namespaces of its own; works as root and, with user namespaces, as anybody."""

    name: ClassVar[str] = "bubblewrap"
    guarantees: ClassVar[Mapping[str, bool]] = MappingProxyType(
        dict.fromkeys(("answers", "network", "processes", "host_files", "read_only_data", "user", "memory"), True)
    )

    def __init__(self, *, control_groups: bool = True) -> None:
        self._control_groups = control_groups

    def probe(self) -> str | None:
        """Run an empty job; return None if that worked, else one sentence with the reason and the way out."""
        if not shutil.which("bwrap"):
            return "bubblewrap is not installed; install it with: apt-get install bubblewrap."
        if os.geteuid() == 0 and not shutil.which("setpriv"):
            return "setpriv is not installed; install it with: apt-get install util-linux."
        with tempfile.TemporaryDirectory(prefix="mlebench-probe-") as folder:
            root = Path(folder)
            for path in (root / "data", root / "home"):
                path.mkdir()
                path.chmod(0o755)  # whatever the umask is
            (root / "instructions.txt").touch()
            job = Job(
                name="probe",
                command=("{python}", "-I", "-S", "-c", "pass"),
                data=root / "data",
                instructions=root / "instructions.txt",
                home=root / "home",
                log=root / "log",
            )
            try:
                ending = self.run(
                    job, Limits(seconds=30, grace=0), stop=threading.Event(), events=lambda *_, **__: None
                )
            except (OSError, SandboxUnavailableError) as error:
                return f"bubblewrap could not be started: {error}"
        if ending.reason is Reason.FINISHED:
            return None
        if "Unknown option" in ending.detail:
            return f"bubblewrap is too old ({ending.detail}); version 0.7 or newer is needed."
        if any(word in ending.detail for word in ("namespace", "not permitted", "uid map", "RTM_NEWADDR")):
            return (
                f"this machine does not let bubblewrap make namespaces ({ending.detail}); run as root, allow "
                "unprivileged user namespaces, or start the container with --security-opt seccomp=unconfined."
            )
        return f"a job in bubblewrap ended with {ending.reason}: {ending.detail or 'no message'}"

    def places(self, job: Job) -> Places:
        """Return where the job finds its things: below /home, as everywhere in the field."""
        return _PLACES

    def run(self, job: Job, limits: Limits, *, stop: threading.Event, events: EventSink) -> Ending:
        """Run a job to its end; return only when no process of it is left."""
        program = shutil.which("bwrap")
        if not program:
            raise SandboxUnavailableError("bubblewrap is not installed; install it with: apt-get install bubblewrap.")
        user = processes.unused_user() if os.geteuid() == 0 else None
        if user is not None and job.data.stat().st_mode & 0o005 != 0o005:
            raise SandboxUnavailableError(
                f"{job.data} is closed to the job's user, who is not root; run: chmod -R o+rX {job.data}"
            )
        for name in FOLDERS:
            (job.home / name).mkdir(parents=True, exist_ok=True)
            if user is not None:
                _give(job.home / name, user)
        with ExitStack() as stack:
            source, status = os.pipe()
            stack.callback(os.close, source)
            os.set_blocking(source, False)
            second = os.dup(status)  # bwrap keeps the first for itself
            view = View(user)
            view.show_system()
            view.show_python()
            view.refuse_if_shown(job.data, job.home)
            view.show_read_only(job.data, _PLACES.data)
            view.add_file(job.instructions.read_bytes(), _PLACES.instructions, 0o644)
            for tool in sorted(job.tools.iterdir()) if job.tools else ():
                if tool.is_file():
                    view.add_file(tool.read_bytes(), PurePath("/home") / tool.name, 0o755)
            for name in FOLDERS:
                view.show_writable(job.home / name, _PLACES.home / name)
            sockets = [_SOCKETS / f"{hole.port}.sock" for hole in job.holes]
            for hole, path in zip(job.holes, sockets, strict=True):
                view.show_read_only(hole.socket, path)
            # The kernel counts by user, so this is exact: with root's rights each job has a user of its own,
            # without them a user namespace of its own.
            own = {} if limits.processes is None else {"RLIMIT_NPROC": limits.processes + OWN_PROCESSES}
            plan_file = memory_file(plan(job, limits, status=second, sockets=sockets, harness=None, resources=own))
            options = view.options(status, _PLACES.variables(job, limits))
            launch = Launch(
                sandbox=self.name,
                # Options come by a file: the command line of the first process is readable inside.
                arguments=(program, "--args", str(options), "--", *view.command(plan_file)),
                environment={},
                folder=Path("/"),
                status=source,
                descriptors=(status, second, plan_file, options, *view.descriptors),
                token=processes.new_token(),
                namespace=True,
                user=user,
                control_groups=self._control_groups,
            )
            return supervise(launch, job, limits, stop=stop, events=events)


def _give(folder: Path, user: int) -> None:
    """Make the sandbox's user the owner of a folder and of all that is in it."""
    for _, folders, files, descriptor in os.fwalk(folder, follow_symlinks=False):
        os.fchown(descriptor, user, user)
        for name in [*folders, *files]:
            os.chown(name, user, user, dir_fd=descriptor, follow_symlinks=False)
    # bwrap changes into it when it is neither that user nor has root's rights any more.
    folder.chmod(stat.S_IMODE(folder.stat().st_mode) | 0o711)
