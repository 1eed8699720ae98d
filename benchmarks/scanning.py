"""Time and memory of a scan of many small pictures: `python -m benchmarks.scanning FOLDER [FILES]`.

Writes FILES pictures (by default a million) of 24 by 24 pixels into FOLDER, which needs 4 KiB of disk for each, unless
they are there already. Prints the seconds of each scanner, CPU time, and the largest memory of the processes.
"""

from __future__ import annotations

import io
import resource
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from joblib.externals.loky import get_reusable_executor
from PIL import Image

from mlebench.ground.tables import write_csv
from mlebench.scan.scan import scan_task
from mlebench.tasks.competition import Competition

FILES = 1_000_000
TEST_SHARE = 0.2
SIDE = 24
DECLARATION = {
    "id": "many-pictures",
    "title": "Many pictures",
    "year": 2026,
    "category": "Image Classification",
    "metric": "accuracy_score",
    "submission": {"id": "id", "targets": ["label"], "values": "labels"},
}


def make_task(folder: Path, files: int) -> Competition:
    """Return a task with prepared data: a folder of train and one of test pictures, and the table of train labels."""
    task = folder / "task"
    task.mkdir(parents=True, exist_ok=True)
    (task / "competition.yaml").write_text(yaml.safe_dump(DECLARATION))
    (task / "brief.md").write_text("# Many pictures\n")
    (task / "leaderboard.csv").write_text("score\n" + "".join(f"{1 - place / 1000}\n" for place in range(1000)))
    competition = Competition.bind(task, folder / "data")
    if competition.answers.is_file():
        return competition
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"id": [f"{key:08x}" for key in rng.permutation(files)], "label": rng.integers(10, size=files)}
    )
    is_test = rng.random(files) < TEST_SHARE
    for name in ("train", "test"):
        (competition.public_dir / name).mkdir(parents=True)
    for key, test in zip(table["id"], is_test, strict=True):
        coarse = Image.fromarray(rng.integers(0, 255, (6, 6), dtype=np.uint8))
        out = io.BytesIO()
        coarse.resize((SIDE, SIDE), Image.Resampling.BILINEAR).save(out, "PNG", compress_level=1)
        (competition.public_dir / ("test" if test else "train") / f"{key}.png").write_bytes(out.getvalue())
    write_csv(table[~is_test], competition.public_dir / "train.csv")
    write_csv(table.loc[is_test, ["id"]].assign(label=0), competition.sample_submission)
    write_csv(table[is_test], competition.answers)
    return competition


def main() -> None:
    folder, files = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else FILES
    competition = make_task(folder, files)
    start = time.monotonic()
    report = scan_task(competition, out=folder / "scan.html")
    for run in report.scanners:
        print(f"{run.scanner:<12} {run.seconds:7.1f} s  {run.skipped or ' '.join(run.limits)}")
    seconds = time.monotonic() - start
    get_reusable_executor().shutdown(wait=True)  # or the time of its processes is unknown
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    print(f"{report.public_files:,} files: {seconds:.0f} s, {cpu:.0f} s of CPU time, {len(report.findings)} findings")
    print(
        f"memory: {used[0].ru_maxrss / 2**20:.2f} GiB, and {used[1].ru_maxrss / 2**20:.2f} GiB of each worker process"
    )


if __name__ == "__main__":
    main()
