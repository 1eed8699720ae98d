"""The command line. It imports no library, because child processes start with its peak of memory."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.heaviest.facts import HEAVIEST, Facts
from benchmarks.heaviest.measuring import Cost, StepFailedError, run_step

if TYPE_CHECKING:
    from collections.abc import Iterator

GiB = 1024**3
MEMORY = 16
HEADER = (
    f"{'':<38} {'':<16} {'rows':>11} {'GB':>6} {'s':>7} {'CPU s':>7} {'peak':>6} {'anon.':>6}   "
    f"{'floor':<31} {'s':>7} {'CPU s':>7} {'peak':>6}"
)


@dataclass(frozen=True)
class Result:
    """The cost of one step of a competition, the rows and bytes that it reads, and the cost of its floor."""

    competition: str
    step: str
    rows: int
    bytes: int
    cost: Cost
    floor: str
    floor_cost: Cost
    smaller: str = ""

    def __str__(self) -> str:
        return (
            f"{self.competition:<38.38} {self.step:<16} {self.rows:>11,} {self.bytes / 1e9:>6.2f} "
            f"{format_cost(self.cost)} {self.cost.anonymous / GiB:>6.2f}   "
            f"{self.floor:<31.31} {format_cost(self.floor_cost)}"
        )


def format_cost(cost: Cost) -> str:
    """Return seconds, CPU seconds and peak of memory in GiB, for the table."""
    return f"{cost.seconds:>7.1f} {cost.cpu_seconds:>7.1f} {cost.peak / GiB:>6.2f}"


def measure(facts: Facts, folder: Path, scale: float, memory: int) -> Iterator[Result]:
    """Make the data of a competition in an empty folder, and yield the results of its steps."""

    def run(step: str) -> tuple[dict[str, int], Cost]:
        return run_step(step, facts.id, folder, scale, memory)

    made, _ = run("make")
    _, reading = run("read raw")
    _, cost = run("prepare")
    yield Result(facts.id, "prepare", made["rows"], made["bytes"], cost, facts.floor, reading, facts.smaller)
    shutil.rmtree(folder / "raw")
    submitted, _ = run("submit")
    for kind in ("sample", "submission"):
        output, reading = run(f"read {kind}")
        _, cost = run(f"grade {kind}")
        yield Result(facts.id, f"grade {kind}", submitted["rows"], output["bytes"], cost, "reading both files", reading)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.heaviest", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help=", ".join(HEAVIEST))
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the real number of rows")
    parser.add_argument("--memory", type=float, default=MEMORY, help="limit of a step's anonymous memory, GiB")
    parser.add_argument("--folder", type=Path, help="parent of the temporary folder, which takes up to 20 GB")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    unknown = [id for id in options.ids if id not in HEAVIEST]
    if unknown:
        parser.error(f"unknown id {unknown[0]}; known: {', '.join(HEAVIEST)}")
    results, failed = [], False
    if not options.json:
        print(HEADER, flush=True)
    for id in options.ids or HEAVIEST:
        with tempfile.TemporaryDirectory(prefix="mlebench-heaviest-", dir=options.folder) as folder:
            try:
                for result in measure(HEAVIEST[id], Path(folder), options.scale, int(options.memory * GiB)):
                    results.append(asdict(result))
                    if not options.json:
                        print(result, flush=True)
            except StepFailedError as error:
                failed = True
                print(error, file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        print("Memory is in GiB.")
        for id in options.ids or HEAVIEST:
            print(f"{id}: the rows are {HEAVIEST[id].what}. {HEAVIEST[id].smaller}".rstrip())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
