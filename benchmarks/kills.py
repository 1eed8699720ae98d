"""Kill a group of runs at random moments, many times, and compare its results with those of an undisturbed group.

    python -m benchmarks.kills --kills 200 --sandbox bubblewrap

Each time, the harness process gets SIGKILL, and the same command starts again. At the end both groups must have the
same results and verify, and no process, container or workplace may remain. The sandboxes `docker` and `podman` need a
running engine and an image.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from mlebench.sandbox.container import TOKEN_LABEL
from mlebench.sandbox.engine import ENGINES, Engine
from mlebench.sandbox.tokens import is_orphaned

AGENT = """
import os, random, shutil, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"], start_new_session=True)
sample = os.environ["DATA_DIR"] + "/sample_submission.csv"
for _ in range(4):
    shutil.copy(sample, os.environ["SUBMISSION_DIR"] + "/submission.csv")
    time.sleep(random.random() / 2)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20, help="how often the harness is killed")
    parser.add_argument("--runs", type=int, default=60, help="runs in each group")
    parser.add_argument("--sandbox", default="bubblewrap")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="mlebench-kills-") as folder:
        root = Path(folder)
        agent = root / "agent"
        agent.mkdir()
        (agent / "agent.yaml").write_text("id: restless\ndescription: ''\ncommand: ['{python}', start.py]\n")
        (agent / "start.py").write_text(AGENT)

        def command(group: str) -> list[str]:
            return [
                *(sys.executable, "-m", "mlebench", "run", "--agent", str(agent), "-c", "demo-wine"),
                *("--seeds", str(options.runs), "--sandbox", options.sandbox, "--time-limit", "60s"),
                *("--memory", "0.5", "--cpus", "1", "--parallel", "3", "--group", group),
                *("--runs-dir", str(root / "runs"), "--data-dir", str(root / "data")),
            ]

        subprocess.run(command("undisturbed"), check=True, capture_output=True)
        kills = 0
        while kills < options.kills:
            process = subprocess.Popen(command("killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=0.3 + 2.5 * rng.random())
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
            else:
                print(f"The group finished after {kills} kills. Increase --runs.")
                break
        subprocess.run(command("killed"), check=True, capture_output=True)
        time.sleep(1)
        failures = list(differences(root / "runs"))
        failures += [f"{group} does not verify" for group in ("undisturbed", "killed") if not verifies(root, group)]
        failures += [f"process {process.pid} is still running: {process.name()}" for process in processes_using(root)]
        failures += [f"{path} still exists" for path in (root / "runs" / ".work").glob("*")]
        failures += [f"container {container} still exists" for container in orphaned_containers(options.sandbox)]
        attempts = sum(run["attempt"] for run in records(root / "runs" / "killed").values())
        print(f"{kills} kills, {options.runs} runs, {attempts} attempts: {'; '.join(failures) or 'the same results'}")
    return 1 if failures else 0


def records(group: Path) -> dict[str, dict[str, Any]]:
    """Return the records of a group's runs by id."""
    runs: dict[str, dict[str, Any]] = json.loads((group / "metadata.json").read_text())["runs"]
    return runs


def differences(runs: Path) -> list[str]:
    """Return how the results of the two groups differ, as sentences."""
    tables = []
    for group in ("undisturbed", "killed"):
        report = json.loads((runs / group / "report.json").read_text())
        rows = json.loads((runs / group / "grading_report.json").read_text())
        scores = [(row["competition_id"], row["score"], row["outcome"]) for row in rows.pop("competition_reports")]
        tables.append((report["agents"], rows, scores))
    return [] if tables[0] == tables[1] else [f"the results differ: {tables[0]} and {tables[1]}"]


def verifies(root: Path, group: str) -> bool:
    """Tell whether `mlebench verify` accepts a group."""
    command = [sys.executable, "-m", "mlebench", "verify", group, "--runs-dir", str(root / "runs")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    print(result.stdout if result.returncode else "", end="")
    return result.returncode == 0


def processes_using(root: Path) -> list[psutil.Process]:
    """Return the processes that use a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd().startswith(str(root)) or str(root) in " ".join(process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return [process for process in found if process.pid != psutil.Process().pid]


def orphaned_containers(sandbox: str) -> list[str]:
    """Return the containers whose harness process has ended."""
    if sandbox not in ENGINES:
        return []
    return [
        container for container, token in Engine(sandbox).list_containers(TOKEN_LABEL).items() if is_orphaned(token)
    ]


if __name__ == "__main__":
    sys.exit(main())
