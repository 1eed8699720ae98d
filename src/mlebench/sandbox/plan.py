"""What every sandbox tells a job: environment variables for the job, a plan for the first process inside."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mlebench.sandbox import inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits

FOLDERS = ("submission", "code", "logs", "agent")
"""The writable folders of a job's home."""

OWN_PROCESSES = 8
"""Room beyond a job's limit for the sandbox's own processes and threads: wrappers and forwarder."""

NOTE = "TIME_IS_NEARLY_UP.txt"
"""Name of the file in a job's `logs` that appears shortly before the end of its time."""

OWN_PYTHON = PurePath(sys.executable)
"""The harness's Python."""

HOME = PurePath("/home")
"""The home of a job that has a file system of its own."""

_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"

INSIDE = Path(inside.__file__)
"""The script that runs first inside."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the job finds its things: paths as it sees them; by default those below `HOME`."""

    data: PurePath = HOME / "data"
    instructions: PurePath = HOME / "instructions.txt"
    home: PurePath = HOME
    tools: PurePath | None = HOME
    python: PurePath = OWN_PYTHON
    """What `{python}` in a command stands for."""
    path: str | None = f"{OWN_PYTHON.parent}:{_SYSTEM_PATH}"
    """The job's PATH; `None` is the one of its image."""

    def with_python(self, python: Path | None) -> Places:
        """Return the places of a job that brings this interpreter."""
        if python is None:
            return self
        return dataclasses.replace(self, python=python, path=f"{python.parent}:{_SYSTEM_PATH}")

    def variables(self, job: Job, limits: Limits) -> dict[str, str]:
        """Return the whole environment of a job; nothing of the harness's own goes in."""
        variables = {
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(self.home / "agent"),
            "DATA_DIR": str(self.data),
            "INSTRUCTIONS": str(self.instructions),
            "TIME_LIMIT_SECS": str(int(limits.seconds)),
        }
        if self.path is not None:
            variables["PATH"] = self.path
        variables |= {f"{name.upper()}_DIR": str(self.home / name) for name in FOLDERS}
        if self.tools is not None:
            variables["TOOLS_DIR"] = str(self.tools)
        if limits.cpus is not None:
            threads = str(math.ceil(limits.cpus))
            names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
            variables |= dict.fromkeys(names, threads)
        for hole in job.holes:
            variables |= hole.addresses()
        return variables | dict(job.environment)


def plan(
    job: Job,
    limits: Limits,
    *,
    sockets: Iterable[PurePath],
    python: PurePath = OWN_PYTHON,
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
                [hole.port, str(path), dict(hole.variables)] for hole, path in zip(job.holes, sockets, strict=True)
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
