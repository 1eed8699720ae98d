"""The harness's side of the entrypoint: its files, and the config that it gets for a job."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mlebench.sandbox import entrypoint
from mlebench.sandbox.entrypoint.config import Config, Forward
from mlebench.sandbox.limits import OVERHEAD_PROCESSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits

_FIXED_LIMITS = {
    "RLIMIT_CORE": 1,
    "RLIMIT_MSGQUEUE": 800 * 1024,
    "RLIMIT_NICE": 0,
    "RLIMIT_RTPRIO": 0,
    "RLIMIT_SIGPENDING": 8192,
}
"""A core dump would fill the disk; 0 would still start a program of the host that receives dumps, and 1 does neither.
The others bound memory of the kernel and precedence over other processes: messages, priorities, signals and timers."""
_FILE_SHARE = 4
"""A job may open this part of the files that the machine can have open."""
_MIN_OPEN_FILES, _MAX_OPEN_FILES = 1024, 1 << 20
_MAX_TASKS = 4096
"""Assumed where processes are not limited."""
ENTRYPOINT = Path(entrypoint.__file__).parent
"""The folder that Python runs first in a sandbox."""


def entrypoint_files() -> dict[str, bytes]:
    """Return the modules of the entrypoint by their file names, for sandboxes with a file system of their own."""
    return {path.name: path.read_bytes() for path in sorted(ENTRYPOINT.glob("*.py"))}


def make_config(
    job: Job,
    limits: Limits,
    *,
    sockets: Iterable[PurePath],
    python: PurePath,
    rlimits: Mapping[str, int] | None = None,
    harness: int | None = None,
    environment: Mapping[str, str] | None = None,
    seccomp_filter: bytes | None = None,
) -> bytes:
    """Return the config of the entrypoint for a job, encoded.

    Parameters
    ----------
    job : Job
        The command and its port forwards.
    limits : Limits
        What the job may use.
    sockets : iterable of PurePath
        Where the job finds the Unix socket of each port forward.
    python : PurePath
        The interpreter that `{python}` in the command stands for, as a path inside the sandbox.
    rlimits : mapping of str to int, optional
        Further resource limits by their names in the module `resource`.
    harness, environment, seccomp_filter
        See `Config`.
    """
    bounds = _FIXED_LIMITS | {"RLIMIT_NOFILE": max_open_files(limits.processes)}
    if limits.disk is not None:
        bounds["RLIMIT_FSIZE"] = limits.disk  # the kernel refuses a file larger than the whole limit at once
    config = Config(
        command=[str(python) if item == "{python}" else item for item in job.command],
        forwards=[
            Forward(forward.port, str(path), dict(forward.variables))
            for forward, path in zip(job.port_forwards, sockets, strict=True)
        ],
        rlimits=bounds | dict(rlimits or {}),
        cpus=choose_processors(limits.cpus),
        harness=harness,
        environment=None if environment is None else dict(environment),
        seccomp_filter=seccomp_filter.hex() if seccomp_filter else None,
    )
    return config.encode()


def max_open_files(processes: int | None, path: Path = Path("/proc/sys/fs/file-max")) -> int:
    """Return how many files each process may open, so that all of them together leave the machine enough.

    Parameters
    ----------
    processes : int or None
        The limit on processes and threads, each of which may have a table of open files of its own.
    path : Path
        File with the number of files that the machine can have open.
    """
    tasks = (processes or _MAX_TASKS) + OVERHEAD_PROCESSES
    return min(max(_MIN_OPEN_FILES, int(path.read_text()) // _FILE_SHARE // tasks), _MAX_OPEN_FILES)


def choose_processors(cpus: float | None) -> list[int] | None:
    """Choose processors at random, so that parallel jobs spread out; return None for all of them."""
    available = sorted(os.sched_getaffinity(0))
    number = math.ceil(cpus) if cpus is not None else len(available)
    return sorted(random.sample(available, number)) if 0 < number < len(available) else None
