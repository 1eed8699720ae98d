"""The life of a worker: it ends with the harness, whatever it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

from mlebench.grading.requests import GRADING, Answer, Request

from ..waiting import wait_until

HARNESS = """
import sys
from pathlib import Path
from mlebench.grading.pool import GradingPool
from mlebench.tasks.registry import Registry

registry = Registry(Path(sys.argv[1]), (Path(sys.argv[2]),))
competition = registry.get_competition("own")
with GradingPool(registry) as pool:
    pool.{method}(competition.sample_submission, competition)
    print("done", flush=True)
    sys.stdin.read()
"""
BUSY = {
    "in Python": "while True: pass",
    "in C, without letting other threads run": "sum(range(10**12))",
    "asleep": "time.sleep(3600)",
    "without work": "return 0.5",
}


@pytest.mark.slow("programs")
@pytest.mark.parametrize("method", ["judge", "check"])
@pytest.mark.parametrize("code", BUSY.values(), ids=BUSY)
def test_a_worker_ends_when_the_harness_is_killed(own_task, tmp_path, code, method):
    registry, competition = own_task(f"Path({str(tmp_path / 'pid')!r}).write_text(f'{{os.getpid()}} ')\n    {code}")
    harness = subprocess.Popen(
        [sys.executable, "-c", HARNESS.format(method=method), registry.get_data_dir(), competition.folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        if code == BUSY["without work"]:
            assert harness.stdout.readline() == b"done\n"
        assert wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().endswith(" "))
        worker = psutil.Process(int((tmp_path / "pid").read_text()))
        assert worker.is_running()
    finally:
        harness.kill()
        harness.communicate()
    assert wait_until(lambda: not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE)


@pytest.mark.slow("programs")
@pytest.mark.parametrize("ends", ["input", "lifeline"])
def test_a_worker_ends_without_a_trace(ends):
    worker, answers, lifeline = start_worker()
    if ends == "input":
        worker.stdin.close()
    else:
        os.close(lifeline)
    assert worker.wait(timeout=300) in ((0,) if ends == "input" else (0, -signal.SIGIO))
    assert (worker.stdout.read(), worker.stderr.read(), os.read(answers, 1)) == (b"", b"", b"")


@pytest.mark.slow("programs")
def test_a_signal_about_its_input_does_not_end_a_worker(own_task):
    """The kernel may be late with a signal for a line that a worker has read, and then a request is under way."""
    registry, competition = own_task("time.sleep(1)\n    return 0.5")
    folders = (str(competition.folder),)
    path = str(competition.sample_submission)
    request = Request("judge", path, competition.label, str(registry.get_data_dir()), folders, GRADING)
    worker, answers, _ = start_worker()
    worker.stdin.write(request.encode())
    worker.stdin.flush()
    assert os.read(answers, 1) == b"\n"
    worker.stdin.write(request.encode())
    worker.stdin.close()
    with os.fdopen(answers, "rb") as file:
        lines = file.read().splitlines()
    assert [bool(line and Answer.decode(line).verdict) for line in lines] == [True, False, True]
    assert worker.wait(timeout=300) == 0


def start_worker():
    """Return a worker, the pipe of its answers and its lifeline."""
    answers, theirs = os.pipe()
    read_end, lifeline = os.pipe()
    worker = subprocess.Popen(
        [sys.executable, "-m", "mlebench.grading.worker", str(theirs), str(read_end)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(theirs, read_end),
        preexec_fn=lambda: signal.signal(signal.SIGIO, signal.SIG_IGN),
    )
    os.close(theirs)
    os.close(read_end)
    return worker, answers, lifeline
