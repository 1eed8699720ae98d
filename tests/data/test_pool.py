"""Several competitions are prepared at once; one that fails, prints or dies does not affect the others."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from mlebench.data.jobs import Job
from mlebench.data.locks import LOCK, locked
from mlebench.data.options import PrepareOptions
from mlebench.data.pool import run_jobs
from mlebench.data.preparing import prepare
from mlebench.tasks.registry import Registry

from .conftest import TASK, zip_of_pictures

DYING = "import os, signal\n\ndef prepare(raw, public, private):\n    os.kill(os.getpid(), signal.SIGKILL)\n"
FAILING = "def prepare(raw, public, private):\n    raise ValueError('these pictures are upside down')\n"
NOISY = TASK.replace("    labels =", "    print('{\"outcome\": 1}', flush=True)\n    labels =", 1)


@pytest.fixture
def jobs_of(declare, tmp_path):
    def jobs(**tasks: str) -> list[Job]:
        made = []
        for name, task in tasks.items():
            folder = declare(name, task)
            zip_of_pictures(tmp_path / "data" / name / f"{name}.zip")
            made.append(
                Job(label=name, data_dir=tmp_path / "data", folders=(folder,), options=PrepareOptions(keep_raw=False))
            )
        return made

    return jobs


@pytest.mark.slow("programs")
def test_each_job_has_a_result_in_the_order_of_the_jobs(jobs_of, batch):
    jobs = jobs_of(dying=DYING, good=TASK, failing=FAILING, noisy=NOISY)
    results = run_jobs(jobs, 3, batch)
    assert [result.outcome for result in results] == ["failed", "made", "failed", "made"]
    assert "was killed by signal 9" in results[0].error
    assert "these pictures are upside down" in results[2].error
    assert {result.label for result in batch.results} == {job.label for job in jobs}
    again = run_jobs(jobs_of(good=TASK, noisy=NOISY), 2, batch)
    assert [result.outcome for result in again] == ["already there", "already there"]


@pytest.mark.slow("programs")
def test_versions_of_one_competition_share_their_raw_data(declare, batch, tmp_path):
    folder = declare(more="versions:\n  v2: {changes: Nothing much., prepare: prepare}\n")
    archive = zip_of_pictures(tmp_path / "data" / "pictures" / "pictures.zip")
    jobs = [
        Job(label=label, data_dir=tmp_path / "data", folders=(folder,), options=PrepareOptions(keep_raw=False))
        for label in ("pictures", "pictures@v2")
    ]
    assert [result.outcome for result in run_jobs(jobs, 2, batch)] == ["made", "made"]
    left = sorted(path.name for path in archive.parent.iterdir())
    assert left == [".lock", "pictures.zip", "prepared", "prepared-v2"]


def test_preparing_waits_for_another_process_and_reports_it(pictures, progress):
    home = pictures.raw_dir.parent
    zip_of_pictures(home / "pictures.zip")
    with locked(home / LOCK):
        thread = threading.Thread(target=prepare, args=(pictures,), kwargs={"progress": progress})
        thread.start()
        while not progress.messages:
            time.sleep(0.01)
        assert progress.steps == []
    thread.join()
    assert progress.messages[0] == f"pictures is being prepared by process {os.getpid()}; waiting until it ends."
    assert progress.steps


SLOW = TASK.replace("    labels =", "    import time; time.sleep(60)\n    labels =", 1)
RUN = """
import sys
from pathlib import Path
from mlebench.data.jobs import Job
from mlebench.data.pool import run_jobs

class Watch:
    def step(self, label, step, total):
        if step == "prepare":
            print(label, flush=True)
    def advance(self, *args): ...
    def message(self, *args): ...
    def finished(self, result): print(result, flush=True)

run_jobs([Job.model_validate_json(text) for text in sys.argv[1:]], 2, Watch())
"""


@pytest.mark.slow("programs")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_when_their_parent_is_interrupted_or_killed(how, jobs_of):
    jobs = jobs_of(one=SLOW, two=SLOW)
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *(job.model_dump_json() for job in jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert {process.stdout.readline().strip() for _ in jobs} == {"one", "two"}
    process.send_signal(how)
    process.wait(120)
    assert process.stdout.read() == ""  # an interrupted competition is not a failed one
    process.stdout.close()
    for job in jobs:
        home = Registry(job.data_dir, job.folders).get_competition(job.label).raw_dir.parent
        with locked(home / LOCK):  # as soon as the worker has ended
            assert not (home / "prepared").exists()
            assert (home / f"{job.label}.zip").exists()
