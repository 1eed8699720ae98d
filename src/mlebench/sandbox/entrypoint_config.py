"""The harness's side of the entrypoint: its files, and the config that it gets for a job."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mlebench.sandbox import entrypoint
from mlebench.sandbox.entrypoint.config import Config, Forward

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits

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
    status_descriptor: int | None = None,
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
    status_descriptor, harness, environment, seccomp_filter
        See `Config`.
    """
    bounds = {"RLIMIT_CORE": 0}  # a core dump would fill the disk with the memory of the process
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
        status_descriptor=status_descriptor,
        harness=harness,
        environment=None if environment is None else dict(environment),
        seccomp_filter=seccomp_filter.hex() if seccomp_filter else None,
    )
    return config.encode()


def choose_processors(cpus: float | None) -> list[int] | None:
    """Choose processors at random, so that parallel jobs spread out; return None for all of them."""
    available = sorted(os.sched_getaffinity(0))
    number = math.ceil(cpus) if cpus is not None else len(available)
    return sorted(random.sample(available, number)) if 0 < number < len(available) else None
