"""How long the main operations take at real sizes: `python -m benchmarks.speed [NAME …] [--scale 0.1] [--json]`.

Each workload runs on synthetic data, next to its floor: the minimum that any implementation has to do, such as linking
the same files or reading the same table. The ratio of the two is the result, since seconds depend on the machine and
its load. Workload and floor take turns, and each time is the best of three.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable

REPEATS = 3


@dataclass(frozen=True)
class Result:
    """The seconds of a workload and of its floor."""

    workload: str
    floor: str
    seconds: float
    floor_seconds: float

    @property
    def ratio(self) -> float:
        return self.seconds / self.floor_seconds


def measure(
    workload: str,
    floor: str,
    folder: Path,
    run_workload: Callable[[Path], object],
    run_floor: Callable[[Path], object],
) -> Result:
    """Run a workload and its floor in turn, each in an empty folder, and return the shortest time of each.

    Parameters
    ----------
    workload, floor : str
        What they do, for people.
    folder : Path
        Where the empty folders are made.
    run_workload, run_floor : callable
        Get an empty folder.
    """
    times: dict[Callable[[Path], object], list[float]] = {run_workload: [], run_floor: []}
    for _ in range(REPEATS):
        for run, seconds in times.items():
            scratch = Path(tempfile.mkdtemp(dir=folder))
            start = time.perf_counter()
            run(scratch)
            seconds.append(time.perf_counter() - start)
            shutil.rmtree(scratch)
    return Result(workload, floor, min(times[run_workload]), min(times[run_floor]))


def place_images(folder: Path, scale: float) -> Result:
    """Place 50,000 small files; the floor is to hard-link each of them."""
    from mlebench.preparation import place_files

    source = folder / "images"
    source.mkdir()
    names = [f"{number:06d}.tif" for number in range(int(50_000 * scale))]
    for name in names:
        (source / name).write_bytes(name.encode())

    def link_all(scratch: Path) -> None:
        for name in names:
            os.link(f"{source}/{name}", f"{scratch}/{name}")

    def place(scratch: Path) -> None:
        place_files(names, source, scratch / "train")

    return measure("place 50,000 images", "hard-link them", folder, place, link_all)


def make_neutral(folder: Path, scale: float) -> Result:
    """Make the metadata of 50,000 small files neutral; the floor is to hard-link each of them."""
    from mlebench.data.neutral import copy_neutrally, stamp
    from mlebench.data.progress import LogProgress
    from mlebench.ground.neutral import mark_neutral

    source = folder / "images"
    source.mkdir()
    names = [f"{number:06d}.tif" for number in range(int(50_000 * scale))]
    for name in names:
        (source / name).write_bytes(name.encode())
        mark_neutral(source / name)

    def link_all(scratch: Path) -> None:
        for name in names:
            os.link(f"{source}/{name}", f"{scratch}/{name}")

    def copy_and_stamp(scratch: Path) -> None:
        copy_neutrally(source, scratch / "neutral", LogProgress())
        stamp(scratch / "neutral")

    return measure("make 50,000 files neutral", "hard-link them", folder, copy_and_stamp, link_all)


def split_table(folder: Path, scale: float) -> Result:
    """Split a table of two million rows; the floor is to read and write it with pandas."""
    from mlebench.preparation import read_csv, read_rows, split_positions, write_csv

    rows = int(2_000_000 * scale)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "key": [f"2009-06-15 17:26:{number % 60:02d}.{number:07d}" for number in range(rows)],
            "fare": np.round(rng.gamma(2, 5, rows), 1),
            **{f"degrees{number}": np.round(rng.normal(-73.9, 0.01, rows), 6) for number in range(4)},
            "passengers": rng.integers(1, 6, rows),
        }
    )
    raw = folder / "raw.csv"
    table.to_csv(raw, index=False)
    del table

    def by_lines(scratch: Path) -> None:
        whole = read_rows(raw)
        train, test = split_positions(len(whole), 0.1)
        whole.take(train).write(scratch / "train.csv")
        whole.take(test).write(scratch / "test.csv", drop=["fare"])

    def by_pandas(scratch: Path) -> None:
        whole = read_csv(raw)
        train, test = split_positions(len(whole), 0.1)
        write_csv(whole.iloc[train], scratch / "train.csv")
        write_csv(whole.iloc[test].drop(columns="fare"), scratch / "test.csv")

    return measure("split 2,000,000 rows", "pandas reading and writing", folder, by_lines, by_pandas)


def make_one_hot(folder: Path, scale: float) -> Result:
    """Make a one-hot table of 10,000 rows by 120 classes; the floor is to write it."""
    from mlebench.preparation import one_hot, write_csv

    classes = [f"class{number:03d}" for number in range(120)]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": range(int(10_000 * scale)), "label": rng.choice(classes, int(10_000 * scale))})
    ready = one_hot(frame, "id", "label", classes)

    def make(scratch: Path) -> None:
        write_csv(one_hot(frame, "id", "label", classes), scratch / "x.csv")

    def write(scratch: Path) -> None:
        write_csv(ready, scratch / "x.csv")

    return measure("one-hot 10,000 x 120", "writing it", folder, make, write)


def grade_rows(folder: Path, scale: float) -> Result:
    """Grade a million shuffled rows; the floor is to read submission and answers once with the same reader."""
    from mlebench.grading.intake import Allowance, read_submission
    from mlebench.ground.tables import read_csv
    from mlebench.metrics import get_metric
    from mlebench.tasks.grader import Grader
    from mlebench.tasks.shape import Shape
    from mlebench.tasks.values import Values

    rows = int(1_000_000 * scale)
    rng = np.random.default_rng(0)
    answers = pd.DataFrame({"id": [f"id{number:08d}" for number in range(rows)], "y": rng.normal(size=rows).round(5)})
    answers.to_csv(folder / "answers.csv", index=False)
    answers.assign(y=0.5).sample(frac=1, random_state=0).to_csv(folder / "submission.csv", index=False)
    shape = Shape(id="id", targets=("y",), values=Values.NUMBERS)
    grader = Grader.declared(get_metric("root_mean_squared_error"), shape, None, exact=False)

    def grade(_: Path) -> None:
        allowance = Allowance.like(folder / "answers.csv")
        grader.score(read_submission(folder / "submission.csv", allowance), read_csv(folder / "answers.csv"))

    def read(_: Path) -> None:
        read_csv(folder / "submission.csv")
        read_csv(folder / "answers.csv")

    return measure("grade 1,000,000 rows", "reading both files", folder, grade, read)


def overlap_masks(folder: Path, scale: float) -> Result:
    """Compute the overlaps of 20,000 pairs of masks with 40 runs each; the floor is to parse their numbers."""
    from mlebench.metrics.segmentation import decode_masks

    count = int(20_000 * scale)
    rng = np.random.default_rng(0)

    def encode() -> list[str]:
        starts = np.sort(rng.integers(0, 1600, (count, 40)), axis=1) + np.arange(40) * 60 + 1
        numbers = np.stack([starts, rng.integers(1, 60, starts.shape)], axis=2).reshape(count, -1)
        return [" ".join(map(str, row)) for row in numbers.tolist()]

    truth, prediction = encode(), encode()

    def overlap(_: Path) -> None:
        one, other = (decode_masks(range(count), codes, 256**2) for codes in (truth, prediction))
        one.overlaps(other)

    def read(_: Path) -> None:
        for codes in (truth, prediction):
            np.array(" ".join(codes).split(), dtype=np.int64)

    return measure("overlap 20,000 masks", "reading their numbers", folder, overlap, read)


def checksum_file(folder: Path, scale: float) -> Result:
    """Compute the MD5 of a file of 1 GiB; the floor is to read and hash it in blocks."""
    import hashlib

    from mlebench.data import get_checksum

    path = folder / "large"
    with path.open("wb") as file:
        file.truncate(int(2**30 * scale))

    def read_and_hash(_: Path) -> None:
        digest = hashlib.md5(usedforsecurity=False)
        with path.open("rb") as file:
            while block := file.read(2**20):
                digest.update(block)

    return measure("checksum 1 GiB", "md5 in blocks of 1 MiB", folder, lambda _: get_checksum(path), read_and_hash)


WORKLOADS = {
    "images": place_images,
    "neutral": make_neutral,
    "table": split_table,
    "one-hot": make_one_hot,
    "grade": grade_rows,
    "masks": overlap_masks,
    "checksum": checksum_file,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(WORKLOADS))
    parser.add_argument("--scale", type=float, default=1.0, help="share of the real size")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    for name in options.names or WORKLOADS:
        with tempfile.TemporaryDirectory() as folder:
            result = WORKLOADS[name](Path(folder), options.scale)
        results.append(asdict(result) | {"ratio": result.ratio})
        if not options.json:
            print(
                f"{result.workload:<24} {result.seconds:8.3f} s   {result.floor:<28} {result.floor_seconds:8.3f} s   "
                f"ratio {result.ratio:.2f}",
                flush=True,
            )
    if options.json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
