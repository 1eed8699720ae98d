"""The sandboxes `docker` and `podman`: each job runs in its own container, from an image with everything in it.

The container has no network interface but its own loopback (unless the job's network is open), a read-only root file
system, no capabilities and no way to gain any, and the engine's seccomp filter with ours on top. Its first process is
ours (`entrypoint`) and ends with the harness. A job sees what `Job` describes and nothing else of the host, except for
what no container hides: kernel and hardware (/proc), and in /proc/self/mountinfo the host paths of its mounts. So the
names of folders on these paths must not contain secrets.

Three commands of the engine's client are enough: run, inspect, rm.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import container_options as options
from mlebench.sandbox.base import GUARANTEES
from mlebench.sandbox.container_processes import ContainerProcesses
from mlebench.sandbox.engine import Engine
from mlebench.sandbox.entrypoint_config import make_config
from mlebench.sandbox.gpus import require_gpus
from mlebench.sandbox.home import create_home
from mlebench.sandbox.kernel import seccomp
from mlebench.sandbox.kernel.cgroup import name_enforcement
from mlebench.sandbox.paths import HARNESS_FOLDER, JobPaths
from mlebench.sandbox.probe import probe
from mlebench.sandbox.supervision.channel import SocketChannel
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

TOKEN_LABEL = "mlebench.job"
"""Label that holds a job's token, by which containers of a dead harness are found."""
STAGE_PREFIX = "mlebench-job-"
"""A job's folder of small files is named with this prefix and the job's token."""
IMAGE_VARIABLE = "MLEBENCH_IMAGE"
"""Environment variable that names the image of jobs."""
_BUNDLED_IMAGES = ("mlebench/base:cpu", "mlebench/base:cuda", "mlebench/base:minimal")
_PATHS = JobPaths(python=PurePath("/opt/venv/bin/python"), search_path=None)


class ContainerSandbox:
    """Runs a job in a container.

    Parameters
    ----------
    engine : str
        Name of the client, `docker` or `podman`.
    image : str, optional
        Image of jobs that name none themselves. Without it, the variable `MLEBENCH_IMAGE` and then the images that
        `mlebench image build` made.
    """

    guarantees: Mapping[str, bool] = MappingProxyType(dict.fromkeys(GUARANTEES, True))
    can_open_network: ClassVar[bool] = True

    def __init__(self, engine: str, image: str | None = None) -> None:
        self.name = engine
        self.engine = Engine(engine)
        self._image = image

    @property
    def enforcement(self) -> Enforcement:
        """How limits on memory are enforced: by the kernel, as engines require."""
        return name_enforcement(by_kernel=True)

    def probe(self) -> str | None:
        """Run an empty job; return None if that works, or the reason why not and what to do about it."""
        return self.engine.probe() or probe(self)

    def paths(self, job: Job) -> JobPaths:
        """Return where the job finds its files: below /home."""
        return _PATHS

    def run(self, job: Job, limits: Limits, *, stop: StopSignal, events: EventSink) -> Ending:
        """Run a job to its end; see `Sandbox.run`."""
        image = self.find_image(job.image, gpu=bool(limits.gpus))
        require_gpus(limits.gpus)
        is_root = os.geteuid() == 0
        user = choose_unused_uid() if is_root else None
        create_home(job, user)
        owner = f"{user}:{user}" if is_root else f"{os.getuid()}:{os.getgid()}"
        token = new_token()
        with ExitStack() as stack:
            stage = Path(tempfile.gettempdir()) / (STAGE_PREFIX + token)
            stage.mkdir(mode=0o700)
            stack.callback(shutil.rmtree, stage, ignore_errors=True)
            sockets = [HARNESS_FOLDER / f"{forward.port}.sock" for forward in job.port_forwards]
            channel = SocketChannel(stage / options.CONTROL_SOCKET, _make_config(job, limits, sockets))
            stack.callback(channel.close)
            container = f"mlebench-{secrets.token_hex(6)}"
            processes = ContainerProcesses(self.engine, container, channel)
            stack.callback(processes.remove)  # if something fails before the supervisor kills it
            # `run` takes one start of the client, `create` and `start` would take two.
            argv = (
                *(self.engine.program, "run", "--name", container, "--label", f"{TOKEN_LABEL}={token}"),
                *options.confinement_options(owner),
                *options.engine_options(self.name),
                *options.network_options(self.name, job.network),
                *options.limit_options(limits),
                *options.gpu_options(self.name, limits.gpus),
                *options.mount_options(job, stage, owner, sockets),
                *("--entrypoint", "python3", image, "-I", "-S"),
                *(str(options.ENTRYPOINT), str(HARNESS_FOLDER / options.CONTROL_SOCKET)),
            )
            launch = Launch(
                sandbox=self.name,
                argv=argv,
                environment=dict(os.environ),
                folder=Path("/"),
                channel=channel,
                processes=processes,
                token=token,
                engine_enforces=True,
                facts={"image": image, "gpus": limits.gpus},
            )
            if job.network == "open":
                events("network_open")
            return supervise(launch, job, limits, stop=stop, events=events)

    def find_image(self, wanted: str | None = None, *, gpu: bool = False) -> str:
        """Return the id of the image to run in.

        Parameters
        ----------
        wanted : str, optional
            Name or id of the image. Without it, the default of this sandbox.
        gpu : bool
            Whether to prefer an image with CUDA.

        Returns
        -------
        str
            `sha256:...`.

        Raises
        ------
        SandboxUnavailableError
            If the engine has no such image.
        """
        wanted = wanted or self._image or os.environ.get(IMAGE_VARIABLE)
        bundled = sorted(_BUNDLED_IMAGES, key=lambda name: not name.endswith(":cuda")) if gpu else _BUNDLED_IMAGES
        for name in [wanted] if wanted else bundled:
            found = self.engine.inspect_image(name)
            if found is not None:
                return found.id
        missing = f"image {wanted!r}" if wanted else "image of mlebench"
        raise SandboxUnavailableError(
            f"The engine {self.name} has no {missing}. Run: mlebench image build --engine {self.name}"
        )


def _make_config(job: Job, limits: Limits, sockets: list[PurePath]) -> bytes:
    """Return the config of the entrypoint."""
    environment = _PATHS.environment(job, limits)
    if not limits.gpus:  # otherwise the engine shows these GPUs only, numbered from 0
        environment["CUDA_VISIBLE_DEVICES"] = ""
    return make_config(
        job,
        limits,
        sockets=sockets,
        python=_PATHS.python,
        environment=environment,
        # The filters of engines differ, and change between releases: ours is installed on top.
        seccomp_filter=seccomp.make_filter() if seccomp.is_supported() else None,
    )
