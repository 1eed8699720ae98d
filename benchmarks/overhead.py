"""The time that a sandbox adds to a run: `python -m benchmarks.overhead [SANDBOX ...]`.

Prints medians over ten empty jobs. `start` is the time until the job's first instruction, `end` the time from its last
instruction until the sandbox is removed. For containers, the floor is the engine's `run --rm IMAGE true`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mlebench.sandbox import get_sandbox
from mlebench.sandbox.container import ContainerSandbox
from mlebench.sandbox.container_options import engine_options
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.stop import StopSignal

ROUNDS = 10
SCRIPT = "date +%s.%N > $SUBMISSION_DIR/time"


def one_job(name: str) -> tuple[float, float]:
    """Return the seconds before and after the single instruction of a job."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for part in ("data", "home"):
            (root / part).mkdir()
            (root / part).chmod(0o755)
        (root / "brief.md").touch()
        job = Job("overhead", ("sh", "-c", SCRIPT), root / "data", root / "brief.md", root / "home", root / "log")
        start = time.time()
        get_sandbox(name).run(job, Limits(seconds=60), stop=StopSignal(), events=lambda *_, **__: None)
        end = time.time()
        instruction = float((root / "home/submission/time").read_text())
        return instruction - start, end - instruction


def plain_run(sandbox: ContainerSandbox) -> float:
    """Return the seconds of the shortest run of the engine alone."""
    image = sandbox.find_image()
    start = time.time()
    own = engine_options(sandbox.name)  # Podman does not start on every machine without them
    subprocess.run([sandbox.engine.program, "run", "--rm", "--network", "none", *own, image, "true"], check=True)
    return time.time() - start


def main() -> None:
    for name in sys.argv[1:] or ["bubblewrap", "docker", "process"]:
        sandbox = get_sandbox(name)
        starts, ends = zip(*(one_job(name) for _ in range(ROUNDS)), strict=True)
        line = f"{name:<11} start {statistics.median(starts):.3f} s  end {statistics.median(ends):.3f} s"
        if isinstance(sandbox, ContainerSandbox):
            floor = statistics.median(plain_run(sandbox) for _ in range(ROUNDS))
            line += f"  plain {name} run {floor:.3f} s"
        print(line, flush=True)


if __name__ == "__main__":
    main()
