"""Running a step in a process of its own, and saying what it took."""

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

LOOK_EVERY = 0.02
KiB = 1024
ANONYMOUS = re.compile(r"RssAnon:\s+(\d+) kB")


@dataclass(frozen=True)
class Cost:
    """What a step took: seconds, and bytes of memory."""

    seconds: float
    cpu_seconds: float
    peak: int
    anonymous: int


class StepFailedError(Exception):
    """Raised when the process of a step ends with an error; the text is the end of what it said."""


def run_step(step: str, competition_id: str, folder: Path, scale: float, memory: int) -> tuple[dict[str, Any], Cost]:
    """Run a step of `steps`; returns what it tells, and its cost.

    This process must stay small: a child begins with its parent's peak.
    """
    command = [sys.executable, "-m", "benchmarks.heaviest.steps", step, competition_id, str(folder), repr(scale)]
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as errors:
        began = time.perf_counter()
        process = subprocess.Popen([*command, str(memory)], stdout=said, stderr=errors)
        anonymous = 0
        try:
            while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
                anonymous = max(anonymous, anonymous_bytes(process.pid))
                time.sleep(LOOK_EVERY)
        except BaseException:
            process.kill()
            raise
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(ended[1])
        if process.returncode:
            errors.seek(0)
            end = "\n".join(errors.read().splitlines()[-5:])
            raise StepFailedError(f"{competition_id}, {step}: ended with {process.returncode}\n{end}")
        said.seek(0)
        used = ended[2]
        cost = Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * KiB, anonymous)
        told: dict[str, Any] = json.loads(said.read().splitlines()[-1])
        return told, cost


def anonymous_bytes(pid: int) -> int:
    """Return how much memory of a process is now no file's; 0 when it has ended."""
    try:
        found = ANONYMOUS.search(Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * KiB if found else 0
