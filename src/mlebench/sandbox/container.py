"""The sandboxes `docker` and `podman`: a container of its own for each job, from an image with everything in it.

The container has no network interface but its own loopback (unless the job's network is open), a root file
system that nobody can write to, no capabilities and no way to gain any, the engine's own filter of system calls
with ours on top, and its first process is ours (`inside.py`), which ends with the harness. A job sees what
`base.Job` describes and nothing else of the host, except for what no container hides: kernel and hardware
(/proc), and in /proc/self/mountinfo the host paths of what is mounted. So names of folders on these paths are no
place for secrets.

The engine is asked for little, through its command-line client: run, inspect, rm.
"""

from __future__ import annotations

import json
import os
import resource
import secrets
import shutil
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from mlebench.errors import EngineError, SandboxUnavailableError
from mlebench.sandbox import gpus, seccomp
from mlebench.sandbox.base import GUARANTEES
from mlebench.sandbox.cgroup import ControlGroup
from mlebench.sandbox.channel import SocketChannel
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.engine import Engine, mount
from mlebench.sandbox.home import make_home
from mlebench.sandbox.keeper import KILL_SECONDS, Held
from mlebench.sandbox.limits import MiB
from mlebench.sandbox.paths import HOME_FOLDERS, JobPaths
from mlebench.sandbox.plan import INSIDE, OWN_PROCESSES, plan
from mlebench.sandbox.probe import probe
from mlebench.sandbox.supervisor import Launch, supervise
from mlebench.sandbox.tokens import new_token
from mlebench.sandbox.users import choose_unused_uid

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.network import Network
    from mlebench.sandbox.process_table import Process
    from mlebench.sandbox.stop import StopSignal

LABEL = "mlebench.job"
"""Label that holds a job's token, by which containers of a harness that is gone are found."""
STAGE = "mlebench-job-"
"""Beginning of the name of a job's folder of small files; the token follows."""
_SETTLE_SECONDS = 5.0
"""How long an engine may take to notice that a container has ended."""
IMAGE_VARIABLE = "MLEBENCH_IMAGE"
_OWN_IMAGES = ("mlebench/base:cpu", "mlebench/base:cuda", "mlebench/base:minimal")
_RUN = PurePath("/run/harness")
_PATHS = JobPaths(python=PurePath("/opt/venv/bin/python"), search_path=None)
_ETC = {
    "passwd": "root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:{user}:{group}:agent:/home/agent:/bin/bash\n",
    "group": "root:x:0:\nagent:x:{group}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "resolv.conf": "",  # or the host's would be shown, which a job with an open network needs
}


class ContainerSandbox:
    """Runs a job in a container; `engine` is the name of the client, `docker` or `podman`."""

    guarantees: Mapping[str, bool] = MappingProxyType(dict.fromkeys(GUARANTEES, True))
    can_open_network: ClassVar[bool] = True

    def __init__(self, engine: str, image: str | None = None) -> None:
        self.name = engine
        self.engine = Engine(engine)
        self._image = image

    def probe(self) -> str | None:
        """Run an empty job; return None if that worked, else one sentence with the reason and the way out."""
        return self.engine.probe() or probe(self)

    def paths(self, job: Job) -> JobPaths:
        """Return where the job finds its things: below /home, as everywhere in the field."""
        return _PATHS

    def run(self, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
        """Run a job to its end; return only when no process of it is left."""
        image = self.find_image(job.image, gpu=bool(limits.gpus))
        gpus.require(limits.gpus)
        root = os.geteuid() == 0
        user = choose_unused_uid() if root else None
        make_home(job, user)
        token = new_token()
        with ExitStack() as stack:
            stage = Path(tempfile.gettempdir()) / (STAGE + token)
            stage.mkdir(mode=0o700)
            stack.callback(shutil.rmtree, stage, ignore_errors=True)
            sockets = [_RUN / f"{forward.port}.sock" for forward in job.port_forwards]
            environment = _PATHS.environment(job, limits)
            if not limits.gpus:  # otherwise the engine shows these alone, and they are counted anew inside
                environment["CUDA_VISIBLE_DEVICES"] = ""
            # Engines differ in what they refuse, and from release to release: ours comes on top of theirs.
            calls = seccomp.make_filter() if seccomp.is_supported() else None
            content = plan(job, limits, sockets=sockets, python=_PATHS.python, environment=environment, calls=calls)
            channel = SocketChannel(stage / "control.sock", content)
            stack.callback(channel.close)
            name = f"mlebench-{secrets.token_hex(6)}"
            keeper = ContainerKeeper(self.engine, name, channel)
            owner = f"{user}:{user}" if root else f"{os.getuid()}:{os.getgid()}"
            # Removed even if something fails in between; `kill` is what usually does it.
            stack.callback(keeper.remove_if_there)
            # One command rather than create and start: each costs the time that a client takes to begin.
            words = (
                *("run", "--name", name, "--label", f"{LABEL}={token}", *_confinement(owner), *self._own_words()),
                *self._network_words(job.network),
                *_bounds(limits),
                *self._gpu_words(limits.gpus),
                *_mounts(job, stage, owner, sockets),
                *("--entrypoint", "python3", image, "-I", "-S"),
                *(str(_RUN / "inside.py"), str(_RUN / "control.sock")),
            )
            launch = Launch(
                sandbox=self.name,
                arguments=(self.engine.program, *words),
                environment=dict(os.environ),
                folder=Path("/"),
                channel=channel,
                keeper=keeper,
                token=token,
                control_groups=False,
                bounded=True,
                facts={"image": image, "gpus": limits.gpus},
            )
            if job.network == "open":
                events("network_open")
            return supervise(launch, job, limits, stop=stop, events=events)

    def find_image(self, wanted: str | None = None, *, gpu: bool = False) -> str:
        """Return the id of the image to run in: the one asked for, or the first of our own that there is."""
        wanted = wanted or self._image or os.environ.get(IMAGE_VARIABLE)
        own = sorted(_OWN_IMAGES, key=lambda name: name.endswith(":cuda"), reverse=gpu) if gpu else _OWN_IMAGES
        for name in [wanted] if wanted else own:
            found = self.engine.inspect_image(name)
            if found is not None:
                identity = str(found["Id"])
                return identity if identity.startswith("sha256:") else f"sha256:{identity}"
        missing = f"no image {wanted!r}" if wanted else "no image of mlebench's"
        raise SandboxUnavailableError(
            f"There is {missing} in {self.name}; build one with: mlebench image build --engine {self.name}."
        )

    def _own_words(self) -> tuple[str, ...]:
        """Return what this engine needs besides."""
        if self.name != "podman":
            return ()
        words = ["--security-opt", "label=disable"]
        # Its defaults can be more than it may set itself, and then no container starts.
        for name, kind in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC)):
            hard = resource.getrlimit(kind)[1]
            bound = 16_384 if hard == resource.RLIM_INFINITY else min(16_384, hard)
            words += ["--ulimit", f"{name}={bound}:{bound}"]
        if os.geteuid() != 0:  # or the harness's own user number would mean another user inside
            words += ["--userns", "keep-id"]
        return tuple(words)

    def _network_words(self, network: Network) -> tuple[str, ...]:
        if network == "closed":
            return ("--network", "none")
        if self.name == "podman" and os.geteuid() != 0:
            return ()  # it has another kind of network for normal users
        return ("--network", "bridge")  # Docker's default is silently no network where it was started without one

    def _gpu_words(self, numbers: tuple[int, ...] | None) -> tuple[str, ...]:
        if not numbers:
            return ()
        if self.name == "podman":
            return tuple(word for number in numbers for word in ("--device", f"nvidia.com/gpu={number}"))
        return ("--gpus", f'"device={",".join(map(str, numbers))}"')


class ContainerKeeper:
    """One container; its processes are seen where the engine runs on the same machine."""

    def __init__(self, engine: Engine, name: str, channel: SocketChannel) -> None:
        self.engine, self.name = engine, name
        self.group: ControlGroup | None = None
        self._channel = channel
        self._first: Held | None = None
        self._gone = False

    def started(self, process: subprocess.Popen[bytes]) -> None:
        pass  # the engine's client

    def told(self, facts: Mapping[str, Any]) -> None:
        if not facts.get("ready"):
            return
        with suppress(EngineError, ValueError, IndexError, OSError):
            words = self.engine.call("inspect", "--format", "{{.State.Pid}} {{.Id}}", self.name).split()
            # An engine elsewhere tells a number that means another process here.
            if words[1] in Path(f"/proc/{words[0]}/cgroup").read_text():
                self._first = Held(int(words[0]))
                self.group = ControlGroup.of(int(words[0]))

    def processes(self) -> list[Process]:
        return self._first.descendants() if self._first else []

    def memory_files(self) -> int:
        return self._first.memory_files() if self._first else 0

    def terminate(self) -> None:
        self._channel.send("terminate")

    def kill(self) -> bool:
        """Kill the container and remove it; tell whether it is gone."""
        if self._first:
            self._first.kill()
        self.remove_if_there()
        return self._gone and (self._first is None or self._first.has_ended(KILL_SECONDS))

    def explain(self) -> tuple[Reason, str] | None:
        """Tell a job that got its own first process killed from a container that was lost."""
        lost = Reason.HARNESS, f"{self.engine.name.capitalize()} lost the container, or somebody removed it."
        end = time.monotonic() + _SETTLE_SECONDS
        seen = False
        while True:
            try:
                state = json.loads(self.engine.call("inspect", "--format", "{{json .State}}", self.name))
            except (EngineError, ValueError):
                return lost
            if state.get("Status") == "exited" and seen:
                break
            if time.monotonic() > end:
                return lost
            # Somebody who removes a container kills it first: what is still there after a while was only killed.
            seen = state.get("Status") == "exited"
            time.sleep(2.0 if seen else 0.1)
        if state.get("OOMKilled"):
            return Reason.MEMORY, "Its first process was killed because memory ran out."
        return Reason.CRASHED, "Its first process was killed."

    def remove_if_there(self) -> None:
        """Remove the container, whatever state it is in."""
        if not self._gone:
            self._gone = remove(self.engine, self.name)

    def close(self) -> None:
        if self._first:
            self._first.close()


def remove(engine: Engine, name: str) -> bool:
    """Kill and remove a container; tell whether it is gone."""
    patience = ("--time", "0") if engine.name == "podman" else ()
    try:
        engine.call("rm", "--force", "--volumes", *patience, name, seconds=KILL_SECONDS)
    except EngineError as error:
        return "no such container" in str(error).lower()
    return True


def _confinement(owner: str) -> tuple[str, ...]:
    """Return what keeps a job in: the same for every job."""
    return (
        *("--pull", "never", "--hostname", "sandbox", "--read-only", "--ipc", "private"),
        *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", owner),
        *("--tmpfs", f"/tmp:rw,exec,nosuid,nodev,size={1024 * MiB},mode=1777", "--shm-size", str(256 * MiB)),
        *("--ulimit", "core=0", "--log-driver", "none", "--workdir", "/home/agent", "--restart", "no"),
    )


def _bounds(limits: Limits) -> tuple[str, ...]:
    """Return the limits that the kernel enforces."""
    words: list[str] = []
    if limits.memory is not None:
        words += ["--memory", str(limits.memory), "--memory-swap", str(limits.memory)]
    if limits.processes is not None:
        words += ["--pids-limit", str(limits.processes + OWN_PROCESSES)]
    if limits.cpus is not None:
        words += ["--cpus", f"{min(limits.cpus, os.cpu_count() or 1):.2f}"]
    return tuple(words)


def _mounts(job: Job, stage: Path, owner: str, sockets: list[PurePath]) -> list[str]:
    """Return what the job sees of the host; small files are copied into `stage`, whose name tells nothing."""
    user, group = owner.split(":")
    words: list[str] = []

    def show(content: bytes, target: str, mode: int) -> None:
        path = stage / target.strip("/").replace("/", "-")
        path.write_bytes(content)
        path.chmod(mode)
        words.extend(mount(path, target))

    for name, text in _ETC.items():
        if name == "resolv.conf" and job.network == "open":
            continue
        show(text.format(user=user, group=group).encode(), f"/etc/{name}", 0o644)
    show(INSIDE.read_bytes(), str(_RUN / "inside.py"), 0o644)
    show(job.instructions.read_bytes(), str(_PATHS.instructions), 0o644)
    for tool in sorted(job.tools.iterdir()) if job.tools else ():
        if tool.is_file():
            show(tool.read_bytes(), f"/home/{tool.name}", 0o755)
    words += mount(stage / "control.sock", str(_RUN / "control.sock"))
    words += mount(job.data.resolve(), str(_PATHS.data))
    for name in HOME_FOLDERS:
        words += mount((job.home / name).resolve(), str(_PATHS.home / name), writable=True)
    for forward, path in zip(job.port_forwards, sockets, strict=True):
        words += mount(forward.socket.resolve(), str(path))
    return words
