"""Run a step in its own process, and measure its time and memory."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLE_SECONDS = 0.02
KiB = 1024
ANONYMOUS = re.compile(r"RssAnon:\s+(\d+) kB")


@dataclass(frozen=True)
class Cost:
    """The time and memory that a step took."""

    seconds: float
    cpu_seconds: float
    peak: int
    """Maximum resident set size in bytes."""
    anonymous: int
    """Maximum without pages of files, in bytes; sampled."""


class StepFailedError(Exception):
    """Raised when the process of a step fails; the message has the end of its standard error."""


def run_step(step: str, competition_id: str, folder: Path, scale: float, memory: int) -> tuple[dict[str, Any], Cost]:
    """Run a step of `steps` in a new process.

    The calling process must be small, because a child starts with the peak of its parent.

    Parameters
    ----------
    step : str
        One of `steps.STEPS`.
    competition_id : str
        One of `facts.HEAVIEST`.
    folder : Path
        The folder that the steps before have filled.
    scale : float
        Fraction of the real number of rows.
    memory : int
        Limit of anonymous memory, bytes.

    Returns
    -------
    output : dict
        What the step reports.
    cost : Cost
        The time and memory that it took.

    Raises
    ------
    StepFailedError
        If the process fails.
    """
    command = [sys.executable, "-m", "benchmarks.heaviest.steps", step, competition_id, str(folder), repr(scale)]
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        start = time.perf_counter()
        process = subprocess.Popen([*command, str(memory)], stdout=stdout, stderr=stderr)
        anonymous = 0
        try:
            while not (status := os.wait4(process.pid, os.WNOHANG))[0]:
                anonymous = max(anonymous, anonymous_bytes(process.pid))
                time.sleep(SAMPLE_SECONDS)
        except BaseException:
            process.kill()
            raise
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status[1])
        if process.returncode:
            stderr.seek(0)
            end = "\n".join(stderr.read().splitlines()[-5:])
            raise StepFailedError(f"{competition_id}, {step}: exit code {process.returncode}\n{end}")
        stdout.seek(0)
        used = status[2]
        cost = Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * KiB, anonymous)
        output: dict[str, Any] = json.loads(stdout.read().splitlines()[-1])
        return output, cost


def anonymous_bytes(pid: int) -> int:
    """Return the anonymous memory of a process in bytes; 0 if it has ended."""
    try:
        found = ANONYMOUS.search(Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * KiB if found else 0
