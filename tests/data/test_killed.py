"""A preparation killed in any phase leaves no half-made data, and the same call completes it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mlebench
from mlebench.data import is_dataset_prepared
from mlebench.tasks.registry import Registry

from ..kaggle.server import Fake, FakeKaggle, Storage
from .conftest import TASK, zip_of_pictures

pytestmark = pytest.mark.slow("programs")

SOURCE = Path(mlebench.__file__).parents[1]
PREPARE = """
import json, os, signal, sys
from pathlib import Path
from mlebench.data import prepare, scratch
from mlebench.data.progress import LogProgress
from mlebench.registry import Registry

options = json.loads(sys.argv[1])
phase, count = options["phase"], options["count"]

class Killer(LogProgress):
    now, count = None, 0

    def step(self, step, total=None):
        self.now = step
        self.advance(0, 0)

    def advance(self, size, files=0):
        if self.now == phase:
            self.count += 1
            if self.count > count:
                os.kill(os.getpid(), signal.SIGKILL)

if phase == "rename":  # the moves at the end, one by one
    real = scratch.move_into_place
    def move(*args):
        for owner, name in ((Path, "rename"), (scratch.shutil, "rmtree")):
            function = getattr(owner, name)
            def counted(*args, function=function, **kwargs):
                Killer.count += 1
                if Killer.count > count:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*args, **kwargs)
            setattr(owner, name, counted)
        return real(*args)
    import mlebench.data.preparing
    mlebench.data.preparing.move_into_place = move

competition = Registry(Path(options["data"]), (Path(options["folder"]),)).get_competition("pictures")
given = {"raw": Path(options["raw"])} if options.get("raw") else {}
prepare(competition, keep_raw=False, keep_zip=False, progress=Killer(), **given)
"""
PHASES = [
    ("download", 2),
    ("unpack", 0),
    ("unpack", 17),
    ("prepare", 0),
    ("verify", 1),
    *(("rename", count) for count in range(4)),
]


TRAIN = [number for number in range(30) if number % 3]
PREPARED = {
    *(f"prepared/public/train/p{number}.jpg" for number in TRAIN),
    *(f"prepared/public/test/p{number}.jpg" for number in range(0, 30, 3)),
    *(f"prepared/public/{name}" for name in ("train.csv", "sample_submission.csv", "description.md")),
    "prepared/private/test.csv",
    "prepared/manifest.json",
}
"""All that is there in the end; the zip and the raw data are gone."""


def tree(home: Path) -> set[str]:
    """Return the files in a competition's folder that are not empty, beside the lock and the note of the download."""
    found = [path for path in home.rglob("*") if path.is_file() and path.stat().st_size]
    return {str(path.relative_to(home)) for path in found} - {".lock", ".download.json"}


def prepared(home: Path) -> set[str]:
    return {name for name in tree(home) if name.startswith("prepared/")}


@pytest.fixture
def kaggle(tmp_path):
    archive = zip_of_pictures(tmp_path / "pictures.zip", count=30, size=20_000)
    fake = Fake(Storage(archive.read_bytes()), pages={"Description": "Pictures of Kaggle's."})
    with FakeKaggle({"pictures": fake}).running() as server:
        yield server


def prepare_until(phase, count, kaggle, folder, data, **more):
    options = {"phase": phase, "count": count, "folder": str(folder), "data": str(data), **more}
    kept = {name: value for name, value in os.environ.items() if "KAGGLE" not in name}
    return subprocess.run(
        [sys.executable, "-c", PREPARE, json.dumps(options)],
        env=kept | kaggle.environment | {"PYTHONPATH": str(SOURCE), "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(("phase", "count"), PHASES)
def test_the_same_call_resumes_and_ends_with_the_same_files(phase, count, kaggle, declare, tmp_path):
    folder = declare()
    data = tmp_path / "data"
    killed = prepare_until(phase, count, kaggle, folder, data)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    competition = Registry(data, (folder,)).get_competition("pictures")
    if is_dataset_prepared(competition):
        assert phase == "rename"
        assert prepared(data / "pictures") == PREPARED
    kaggle.asked.clear()
    again = prepare_until("never", 0, kaggle, folder, data)
    assert again.returncode == 0, again.stderr
    assert tree(data / "pictures") == PREPARED
    assert (kaggle.count("storage") == 0) == (phase != "download")


@pytest.mark.parametrize("count", range(4))
def test_replacing_data_leaves_the_old_or_the_new_ones(count, kaggle, declare, tmp_path):
    folder, data = declare(), tmp_path / "data"
    raw = str(tmp_path / "pictures.zip")
    assert prepare_until("never", 0, kaggle, folder, data, raw=raw).returncode == 0
    killed = prepare_until("rename", count, kaggle, folder, data, raw=raw)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert prepare_until("never", 0, kaggle, folder, data).returncode == 0
    assert prepared(data / "pictures") == PREPARED


def test_a_killed_command_takes_its_workers_along_and_resumes(kaggle, declare, tmp_path):
    """Several competitions at once, the command killed again and again at odd moments."""
    slow = TASK.replace("    labels =", "    import time; time.sleep(0.3)\n    labels =", 1)
    folders = [declare(name, slow) for name in ("pictures", "posters", "prints")]
    for folder in folders[1:]:
        kaggle.competitions[folder.name] = kaggle.competitions["pictures"]
    command = [sys.executable, "-m", "mlebench", "prepare", "--data-dir", str(tmp_path / "data"), "--jobs", "2"]
    for folder in folders:
        command += ["-c", folder.name, "--folder", str(folder)]
    kept = {name: value for name, value in os.environ.items() if "KAGGLE" not in name}
    environment = kept | kaggle.environment | {"PYTHONPATH": str(SOURCE), "HOME": str(tmp_path)}
    kills = 0
    for moment in (0.9, 1.5, 1.2, 1.9, 1.1, 2.3):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moment)
        if process.poll() is None:
            process.kill()
            kills += 1
        process.wait()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert kills
    assert all(tree(tmp_path / "data" / folder.name) == PREPARED for folder in folders)
