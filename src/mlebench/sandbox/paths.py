"""Where a job finds its files, and the environment variables that tell it."""

from __future__ import annotations

import dataclasses
import math
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlebench.sandbox.job import Job
    from mlebench.sandbox.limits import Limits

HOME = PurePath("/home")
"""The home of a job that has a file system of its own."""

HARNESS_FOLDER = PurePath("/run/harness")
"""Where such a job finds what the harness provides: the entrypoint and the sockets of port forwards."""

HOME_FOLDERS = ("submission", "code", "logs", "agent")
"""The writable folders of a job's home."""

HARNESS_PYTHON = PurePath(sys.executable)
"""The Python that the harness runs on."""

_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class JobPaths:
    """Where a job finds its files, as paths inside the sandbox. The defaults are the paths below `HOME`."""

    data: PurePath = HOME / "data"
    instructions: PurePath = HOME / "instructions.txt"
    home: PurePath = HOME
    tools: PurePath | None = HOME
    python: PurePath = HARNESS_PYTHON
    """What `{python}` in a command stands for."""
    search_path: str | None = f"{HARNESS_PYTHON.parent}:{_SYSTEM_PATH}"
    """The job's PATH. `None` keeps the one of its image."""

    def with_python(self, python: Path | None) -> JobPaths:
        """Return the paths of a job that brings its own interpreter."""
        if python is None:
            return self
        return dataclasses.replace(self, python=python, search_path=f"{python.parent}:{_SYSTEM_PATH}")

    def environment(self, job: Job, limits: Limits) -> dict[str, str]:
        """Return all environment variables of a job. Nothing of the harness's own environment is among them."""
        variables = {
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(self.home / "agent"),
            "DATA_DIR": str(self.data),
            "INSTRUCTIONS": str(self.instructions),
            "TIME_LIMIT_SECS": str(int(limits.seconds)),
        }
        if self.search_path is not None:
            variables["PATH"] = self.search_path
        variables |= {f"{name.upper()}_DIR": str(self.home / name) for name in HOME_FOLDERS}
        if self.tools is not None:
            variables["TOOLS_DIR"] = str(self.tools)
        if limits.cpus is not None:
            variables |= dict.fromkeys(_THREAD_VARIABLES, str(math.ceil(limits.cpus)))
        for forward in job.port_forwards:
            variables |= forward.environment()
        return variables | dict(job.environment)
