"""The life of a worker: it ends with the harness, whatever it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

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
def test_a_worker_ends_without_a_trace_when_its_input_ends():
    answers, theirs = os.pipe()
    worker = subprocess.run(
        [sys.executable, "-m", "mlebench.grading.worker", str(theirs)],
        stdin=subprocess.DEVNULL,
        pass_fds=(theirs,),
        preexec_fn=lambda: signal.signal(signal.SIGIO, signal.SIG_IGN),
        capture_output=True,
        timeout=300,
        check=False,
    )
    os.close(theirs)
    assert (worker.returncode, worker.stdout, worker.stderr) == (0, b"", b"")
    assert os.read(answers, 1) == b""
    os.close(answers)
