"""Tries a sandbox with an empty job."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.stop import StopSignal

if TYPE_CHECKING:
    from mlebench.sandbox.base import Sandbox

_SCRIPT = "import os; open(os.path.join(os.environ['SUBMISSION_DIR'], 'probe'), 'w').close()"
_MAX_LOG_TAIL = 300
_SECONDS = 300
"""Time limit of the job, which only ends one that hangs."""


def probe(sandbox: Sandbox) -> str | None:
    """Run a job that writes one file; return None if that works, or the reason why not."""
    with tempfile.TemporaryDirectory(prefix="mlebench-probe-") as folder:
        root = Path(folder)
        for path in (root / "data", root / "home"):
            path.mkdir()
            path.chmod(0o755)  # independent of the umask
        (root / "instructions.txt").touch()
        job = Job(
            name="probe",
            command=("{python}", "-I", "-S", "-c", _SCRIPT),
            data=root / "data",
            instructions=root / "instructions.txt",
            home=root / "home",
            log=root / "log",
        )
        limits = Limits(seconds=_SECONDS, grace=0, warning=0)
        try:
            ending = sandbox.run(job, limits, stop=StopSignal(), events=lambda *_, **__: None)
        except (OSError, SandboxUnavailableError) as error:
            return str(error)
        if ending.reason is Reason.FINISHED and (root / "home/submission/probe").exists():
            return None
        log = (root / "log").read_text(errors="replace").strip()[-_MAX_LOG_TAIL:]
    return f"A job in {sandbox.name} ended with {ending.reason}: {ending.detail or log or 'no message'}"
