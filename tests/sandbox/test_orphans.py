"""Nothing outlives a harness, not even one that is killed with SIGKILL."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench
from mlebench.sandbox.kernel.cgroup import ControlGroup
from mlebench.sandbox.kernel.process_table import list_processes, read_process
from mlebench.sandbox.orphans import kill_orphans
from mlebench.sandbox.tokens import TOKEN_VARIABLE, is_orphaned, new_token

from ..waiting import wait_until

HARNESS = """
import sys
from pathlib import Path
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.stop import StopSignal
root = Path(sys.argv[1])
script = "(setsid sh -c 'while :; do sleep 0.05; done # {mark}' &); touch $AGENT_DIR/up; sleep 300 # {mark}"
script = script.replace("{mark}", sys.argv[3])
job = Job("n", ("sh", "-c", script), root / "data", root / "brief.md", root / "home", root / "log")
get_sandbox(sys.argv[2]).run(job, Limits(seconds=600), stop=StopSignal(), events=lambda *_, **__: None)
"""


def list_marked(mark):
    found = []
    for process in list_processes():
        try:
            line = Path(f"/proc/{process.pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(mark.encode() in argument for argument in line[2:3]):
            found.append(process)
    return found


def test_no_process_outlives_a_harness_that_is_killed(bench, sandbox):
    mark = f"stray-of-{os.getpid()}-{sandbox.name}"
    (bench.folder / "home").mkdir()
    harness = subprocess.Popen(
        [sys.executable, "-c", HARNESS, str(bench.folder), sandbox.name, mark],
        env=os.environ | {"PYTHONPATH": str(Path(mlebench.__file__).parents[1])},
        stderr=subprocess.DEVNULL,
    )
    try:
        assert wait_until((bench.folder / "home/agent/up").exists)
        assert wait_until(lambda: len(list_marked(mark)) >= 2)
    finally:
        harness.kill()
        harness.wait()
    assert wait_until(lambda: not list_marked(mark)), list_marked(mark)
    assert wait_until(lambda: kill_orphans() == 0 and not ControlGroup.list_orphans())


@pytest.mark.slow("programs")
def test_processes_with_the_token_of_a_dead_harness_are_killed():
    owner = subprocess.Popen(["sleep", "600"])
    facts = read_process(owner.pid)
    token = "-".join([new_token().split("-")[0], str(owner.pid), str(facts.started), "abc"])
    stray = subprocess.Popen(["sleep", "600"], env={TOKEN_VARIABLE: token}, start_new_session=True)
    try:
        assert not is_orphaned(token)
        kill_orphans()
        assert stray.poll() is None
        owner.kill()
        owner.wait()
        assert is_orphaned(token)
        kill_orphans()  # or a harness beside this test was quicker
        assert stray.wait(60) == -signal.SIGKILL
    finally:
        owner.kill()
        stray.kill()
        owner.wait()
        stray.wait()
