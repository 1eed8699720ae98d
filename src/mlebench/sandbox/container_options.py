"""The options of `docker run` and `podman run` for a job."""

from __future__ import annotations

import os
import resource
from typing import TYPE_CHECKING

from mlebench.sandbox.entrypoint_config import entrypoint_files
from mlebench.sandbox.limits import OVERHEAD_PROCESSES, GiB, MiB
from mlebench.sandbox.paths import HARNESS_FOLDER, HOME, HOME_FOLDERS, JobPaths

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path, PurePath

    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits
    from mlebench.sandbox.network import Network

CONTROL_SOCKET = "control.sock"
ENTRYPOINT = HARNESS_FOLDER / "entrypoint"
_TMP_BYTES = GiB
_SHM_BYTES = 256 * MiB
_PODMAN_ULIMIT = 16_384
_ETC_FILES = {
    "passwd": "root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:{user}:{group}:agent:/home/agent:/bin/bash\n",
    "group": "root:x:0:\nagent:x:{group}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "resolv.conf": "",  # replaces the host's, which only a job with an open network needs
}


def confinement_options(owner: str) -> tuple[str, ...]:
    """Return the options that confine every job; `owner` is its user and group id, as `USER:GROUP`."""
    return (
        *("--pull", "never", "--hostname", "sandbox", "--read-only", "--ipc", "private"),
        *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", owner),
        *("--tmpfs", f"/tmp:rw,exec,nosuid,nodev,size={_TMP_BYTES},mode=1777", "--shm-size", str(_SHM_BYTES)),
        *("--ulimit", "core=1", "--log-driver", "none", "--workdir", str(HOME / "agent"), "--restart", "no"),
    )


def engine_options(engine: str) -> tuple[str, ...]:
    """Return the options that one engine needs and the other does not."""
    if engine != "podman":
        return ()
    options = ["--security-opt", "label=disable"]
    # Podman's defaults may be more than it may set itself, and then no container starts.
    for name, kind in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC)):
        hard = resource.getrlimit(kind)[1]
        limit = _PODMAN_ULIMIT if hard == resource.RLIM_INFINITY else min(_PODMAN_ULIMIT, hard)
        options += ["--ulimit", f"{name}={limit}:{limit}"]
    if os.geteuid() != 0:  # otherwise the harness's own user id would mean another user inside
        options += ["--userns", "keep-id"]
    return tuple(options)


def network_options(engine: str, network: Network) -> tuple[str, ...]:
    """Return the options for a network."""
    if network == "closed":
        return ("--network", "none")
    if engine == "podman" and os.geteuid() != 0:
        return ()  # its default for normal users is another kind of network
    return ("--network", "bridge")  # Docker's default is no network at all if it was started without a bridge


def gpu_options(engine: str, gpus: tuple[int, ...] | None) -> tuple[str, ...]:
    """Return the options that show GPUs to the job."""
    if not gpus:
        return ()
    if engine == "podman":
        return tuple(option for number in gpus for option in ("--device", f"nvidia.com/gpu={number}"))
    return ("--gpus", f'"device={",".join(map(str, gpus))}"')


def limit_options(limits: Limits) -> tuple[str, ...]:
    """Return the options for limits that the kernel enforces."""
    options: list[str] = []
    if limits.memory is not None:
        options += ["--memory", str(limits.memory), "--memory-swap", str(limits.memory)]
    if limits.processes is not None:
        options += ["--pids-limit", str(limits.processes + OVERHEAD_PROCESSES)]
    if limits.cpus is not None:
        options += ["--cpus", f"{min(limits.cpus, os.cpu_count() or 1):.2f}"]
    return tuple(options)


def mount_options(job: Job, stage: Path, owner: str, sockets: Sequence[PurePath]) -> tuple[str, ...]:
    """Return the options that mount what the job sees of the host.

    Small files are copied into a folder first, so that the job cannot learn where they came from.

    Parameters
    ----------
    job : Job
        The job.
    stage : Path
        Folder for the copies, with the control socket.
    owner : str
        User and group id of the job, as `USER:GROUP`.
    sockets : sequence of PurePath
        Where the job finds the socket of each port forward.
    """
    user, group = owner.split(":")
    paths = JobPaths()
    options: list[str] = []

    def mount_copy(content: bytes, target: str, mode: int) -> None:
        path = stage / target.strip("/").replace("/", "-")
        path.write_bytes(content)
        path.chmod(mode)
        options.extend(mount_option(path, target))

    for name, text in _ETC_FILES.items():
        if name == "resolv.conf" and job.network == "open":
            continue
        mount_copy(text.format(user=user, group=group).encode(), f"/etc/{name}", 0o644)
    mount_copy(job.instructions.read_bytes(), str(paths.instructions), 0o644)
    for tool in sorted(job.tools.iterdir()) if job.tools else ():
        if tool.is_file():
            mount_copy(tool.read_bytes(), str(paths.home / tool.name), 0o755)
    options += mount_option(_copy_entrypoint(stage), str(ENTRYPOINT))
    options += mount_option(stage / CONTROL_SOCKET, str(HARNESS_FOLDER / CONTROL_SOCKET))
    options += mount_option(job.data.resolve(), str(paths.data))
    for name in HOME_FOLDERS:
        options += mount_option((job.home / name).resolve(), str(paths.home / name), writable=True)
    for forward, path in zip(job.port_forwards, sockets, strict=True):
        options += mount_option(forward.socket.resolve(), str(path))
    return tuple(options)


def mount_option(source: Path | str, target: str, *, writable: bool = False) -> tuple[str, str]:
    """Return the option that mounts a folder or file of the host. Paths may contain commas and quotes."""
    fields = ["type=bind", f"source={source}", f"target={target}", *([] if writable else ["readonly"])]
    quoted = ['"' + field.replace('"', '""') + '"' if "," in field or '"' in field else field for field in fields]
    return "--mount", ",".join(quoted)


def _copy_entrypoint(stage: Path) -> Path:
    """Copy the entrypoint into the stage, readable for every user."""
    folder = stage / ENTRYPOINT.name
    folder.mkdir()
    folder.chmod(0o755)
    for name, content in entrypoint_files().items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o644)
    return folder
