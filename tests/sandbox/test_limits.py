"""Limits hold in every sandbox, whether the kernel or the supervisor enforces them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mlebench.sandbox.ending import Reason
from mlebench.sandbox.kernel.process_table import list_processes
from mlebench.sandbox.limits import Limits, MiB
from mlebench.sandbox.process import ProcessSandbox

OWN = f"of-{os.getpid()}"
"""Marks the processes of these tests: other workers run the same tests at the same time."""


def list_marked(marker):
    """Return the processes whose command line contains a marker."""
    found = []
    for process in list_processes():
        try:
            line = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in line:
            found.append(process)
    return found


def test_a_sandbox_says_beforehand_how_it_enforces_limits(bench, enforced):
    (started,) = bench(enforced, "true").events.of("started")
    assert started["enforcement"] == enforced.enforcement


def test_the_time_limit_ends_a_job_that_ignores_signals_and_its_daemon(bench, enforced):
    script = """
import os, signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.environ.clear()
        loop = "echo up; while :; do echo >>tick; sleep 0.01; done # daemon-OWN"
        os.execve("/bin/sh", ["sh", "-c", loop], {})
    os._exit(0)
time.sleep(1000)
"""
    command = ("{python}", "-c", script.replace("OWN", OWN))
    result = bench.to_the_limit(enforced, *command, seconds=4, ready=1, grace=0.3)
    assert result.ending.reason is Reason.TIME
    assert result.ending.exit_code is None
    assert result.ending.seconds >= 4
    assert result.events.of("limit")[0]["limit"] == "time"
    assert not list_marked(f"daemon-{OWN}")
    ticks = (result.home / "agent/tick").stat().st_size
    assert ticks
    time.sleep(0.1)
    assert (result.home / "agent/tick").stat().st_size == ticks


def test_sigterm_reaches_all_processes_and_leaves_time_to_save(bench, enforced):
    script = """
trap 'echo saved > "$SUBMISSION_DIR/submission.csv"; wait; exit 0' TERM
(trap 'echo child > "$LOGS_DIR/child"; exit 0' TERM; echo up; while :; do sleep 0.05; done) &
echo up
while :; do sleep 0.05; done
"""
    result = bench.to_the_limit(enforced, "sh", "-c", script, seconds=2, ready=2, grace=60)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.TIME, 0)
    assert (result.home / "submission/submission.csv").read_text() == "saved\n"
    assert (result.home / "logs/child").read_text() == "child\n"


def test_a_daemon_does_not_outlive_a_job_that_exits(bench, enforced):
    script = f"(env -i setsid sh -c 'sleep 20; : daemon-{OWN}' &) ; sleep 0.1; exit 4"
    result = bench(enforced, "sh", "-c", script)
    assert result.ending.exit_code == 4
    assert not list_marked(f"daemon-{OWN}")


def test_a_job_that_fills_memory_is_killed(bench, enforced):
    script = """
import time
hoard = []
while True:
    hoard.append(bytearray(8 * 2**20))
    time.sleep(0.05)  # polling needs time to notice
"""
    result = bench.python(enforced, script, memory=256 * MiB)
    assert result.ending.reason is Reason.MEMORY
    assert result.ending.exit_code == 137
    assert result.ending.peak_memory < 400 * MiB
    assert result.events.of("limit")[0]["limit"] == "memory"


def test_a_job_survives_a_child_that_fills_memory(bench, enforced):
    script = """
import subprocess, sys
bomb = "import time; b = []\\nwhile True: b.append(bytearray(8 * 2**20)); time.sleep(0.05)"
print(subprocess.run([sys.executable, "-c", bomb]).returncode)
"""
    result = bench.python(enforced, script, memory=256 * MiB)
    assert result.ending.reason is Reason.FINISHED
    assert result.log == "-9\n"
    assert "1 of its processes" in result.ending.detail


def test_pages_shared_after_a_fork_count_once(bench, enforced):
    script = """
import os, time
b = bytearray(b"x") * 150_000_000
for _ in range(4):
    if os.fork() == 0:
        break
time.sleep(0.5)
"""
    result = bench.python(enforced, script, memory=400 * MiB)
    assert result.ending.reason is Reason.FINISHED, result.ending


def test_a_job_that_fills_the_disk_is_killed(bench, enforced):
    result = bench(
        enforced,
        "sh",
        "-c",
        "i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > $i; done",
        disk=50 * MiB,
    )
    assert result.ending.reason is Reason.DISK
    assert result.ending.seconds < 100
    assert result.events.of("limit")[0]["value"] > 50 * MiB


def test_one_file_cannot_be_larger_than_the_disk_limit(bench, enforced):
    result = bench(enforced, "sh", "-c", "head -c 60000000 /dev/zero > big; wc -c < big", disk=50 * MiB)
    assert (result.home / "agent/big").stat().st_size <= 50 * MiB


def test_deleted_files_and_closed_folders_count(bench, enforced):
    script = """
import os, time
os.mkdir("closed")
files = []
for i in range(5):
    files.append(open(f"closed/{i}", "wb"))
    files[-1].write(bytes(15_000_000))
    files[-1].flush()
    os.unlink(f"closed/{i}")
os.chmod("closed", 0)
time.sleep(100)
"""
    result = bench.python(enforced, script, disk=50 * MiB)
    assert result.ending.reason is Reason.DISK
    assert result.ending.seconds < 90


def test_a_fork_bomb_is_contained(bench, enforced):
    # The bomb stops by itself: if nothing contains it, it must not take down the machine.
    script = """
import os, time
started = 0
for i in range(300):
    try:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)  # many-OWN
        started += 1
    except BlockingIOError:
        break
print(started, flush=True)
time.sleep(5 if started < 300 else 20)
"""
    result = bench.python(enforced, script.replace("OWN", OWN), processes=60)
    assert "processes" in [facts["limit"] for facts in result.events.of("limit")]
    if result.ending.reason is Reason.FINISHED:
        assert 50 <= int(result.log) < 70
    else:
        assert result.ending.reason is Reason.PROCESSES
        assert isinstance(enforced, ProcessSandbox)
    assert not list_marked(f"many-{OWN}")


@pytest.mark.parametrize(
    ("seconds", "expected"), [(86400, 900), (7200, 360), (600, 60), (60, 30)], ids=["day", "2h", "10m", "1m"]
)
def test_the_default_warning_comes_after_a_twentieth_of_the_time_within_bounds(seconds, expected):
    assert Limits(seconds=seconds).warning_seconds == expected
