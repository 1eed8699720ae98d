"""What every sandbox tells a job: environment variables for the job, a plan for the first process inside."""

from __future__ import annotations

import json
import math
import os
import random
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mlebench.sandbox import inside
from mlebench.sandbox.paths import HARNESS_PYTHON

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits

OWN_PROCESSES = 8
"""Room beyond a job's limit for the sandbox's own processes and threads: wrappers and forwarder."""

INSIDE = Path(inside.__file__)
"""The script that runs first inside."""


def plan(
    job: Job,
    limits: Limits,
    *,
    sockets: Iterable[PurePath],
    python: PurePath = HARNESS_PYTHON,
    status: int | None = None,
    harness: int | None = None,
    resources: Mapping[str, int] | None = None,
    environment: Mapping[str, str] | None = None,
    calls: bytes | None = None,
) -> bytes:
    """Return the plan that `inside.py` reads."""
    return json.dumps(
        {
            "command": [str(python) if item == "{python}" else item for item in job.command],
            "status": status,
            "holes": [
                [forward.port, str(path), dict(forward.variables)]
                for forward, path in zip(job.port_forwards, sockets, strict=True)
            ],
            "limits": {
                "RLIMIT_CORE": 0,  # a crash would leave as many bytes as the process had of memory
                # One file beyond the whole allowance is refused by the kernel, before anybody has to measure.
                **({} if limits.disk is None else {"RLIMIT_FSIZE": limits.disk}),
                **(resources or {}),
            },
            "cpus": _some_cpus(limits.cpus),
            "harness": harness,
            "filter": calls.hex() if calls else None,
            "environment": None if environment is None else dict(environment),
        }
    ).encode()


def memory_file(content: bytes) -> int:
    """Return a descriptor of a nameless file with this content, to be read from its start."""
    descriptor = os.memfd_create("plan")
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _some_cpus(cpus: float | None) -> list[int] | None:
    """Choose CPUs at random, so that jobs side by side spread out."""
    available = sorted(os.sched_getaffinity(0))
    number = math.ceil(cpus) if cpus is not None else len(available)
    return sorted(random.sample(available, number)) if 0 < number < len(available) else None
