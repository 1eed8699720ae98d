"""The command line. It imports no library, because child processes start with its peak of memory."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.widest.facts import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

KiB, MiB, GiB = 1024, 1024**2, 1024**3
MAX_SECONDS, MAX_BYTES = 60.0, 4 * GiB
"""Bounds of CPU time and memory; what is above is marked."""
HEADER = f"{'':<50} {'':<20} {'MiB':>5} {'outcome':<8} {'grade s':>8} {'check s':>8} {'GiB':>6}"


@dataclass(frozen=True)
class Result:
    """The cost of checking and grading one submission."""

    competition: str
    kind: str
    size: int
    outcome: str
    grade_seconds: float
    check_seconds: float
    peak: int
    """Maximum resident set size of both, in bytes."""
    reason: str

    @property
    def is_over(self) -> bool:
        """Whether a bound is passed."""
        return max(self.grade_seconds, self.check_seconds) > MAX_SECONDS or self.peak > MAX_BYTES

    def __str__(self) -> str:
        return (
            f"{self.competition:<50.50} {self.kind:<20} {self.size / MiB:>5.1f} {self.outcome:<8} "
            f"{self.grade_seconds:>8.1f} {self.check_seconds:>8.1f} {self.peak / GiB:>6.2f}"
            f"{'  OVER' if self.is_over else ''}"
        )


def run_step(*words: str, timeout: float) -> tuple[dict[str, Any], int]:
    """Run a step in a new process; return what it prints, and its maximum resident set size in bytes."""
    command = [sys.executable, "-m", "benchmarks.widest.steps", *words]
    with tempfile.TemporaryFile("w+") as stdout:
        process = subprocess.Popen(["timeout", "-k", "1", str(timeout), *command], stdout=stdout)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        stdout.seek(0)
        lines = stdout.read().splitlines()
    return (json.loads(lines[-1]) if lines else {}), used.ru_maxrss * KiB


def measure(source: Path, competition_id: str, kind: str | None, max_bytes: int, timeout: float) -> Iterator[Result]:
    """Yield the cost of each kind of submission to a task."""
    with tempfile.TemporaryDirectory(prefix="mlebench-widest-") as folder:
        sizes, _ = run_step("make", str(source), folder, competition_id, kind or "", str(max_bytes), timeout=timeout)
        for name, size in sizes.items():
            found, peak = run_step("judge", str(source), folder, competition_id, name, timeout=timeout)
            (Path(folder) / f"{name}.csv").unlink()
            seconds = found.get("grade_seconds", timeout), found.get("check_seconds", 0.0)
            yield Result(
                competition_id, name, size, found.get("outcome", "timeout"), *seconds, peak, str(found.get("reason"))
            )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.widest", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help="competitions; by default all")
    parser.add_argument("--data", type=Path, required=True, help="data directory with prepared rehearsal data")
    parser.add_argument("--kind", help="one kind of submission, such as digits")
    parser.add_argument(
        "--mib", type=int, default=64, help="largest size, where intake allows more (default: %(default)s)"
    )
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds after which a step is given up")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    unknown = [id for id in options.ids if id not in ROWS]
    if unknown:
        parser.error(f"unknown id {unknown[0]}; known: {', '.join(ROWS)}")
    results: list[Result] = []
    if not options.json:
        print(HEADER, flush=True)
    for id in options.ids or ROWS:
        for result in measure(options.data, id, options.kind, options.mib * MiB, options.timeout):
            results.append(result)
            if not options.json:
                print(result, result.reason[:100], flush=True)
    if options.json:
        print(json.dumps([asdict(result) for result in results], indent=2))
    return int(any(result.is_over for result in results))


if __name__ == "__main__":
    sys.exit(main())
