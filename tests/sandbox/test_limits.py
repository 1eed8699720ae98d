"""Limits hold in each sandbox, whether the kernel or the supervisor enforces them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mlebench.sandbox.cgroup import ControlGroup
from mlebench.sandbox.disk_meter import DiskMeter
from mlebench.sandbox.disk_usage import measure_disk_usage
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits, MiB
from mlebench.sandbox.process import ProcessSandbox
from mlebench.sandbox.process_table import list_processes

OWN = f"of-{os.getpid()}"
"""Marks the processes of these tests; other workers run the same tests at the same time."""


def alive(marker):
    """Return the processes whose command line holds a marker."""
    found = []
    for process in list_processes():
        try:
            line = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in line:
            found.append(process)
    return found


def test_deadline_with_everything_ignored_and_a_daemon(bench, enforced):
    script = """
import os, signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.environ.clear()
        loop = "while :; do echo >>tick; sleep 0.01; done # daemon-OWN"
        os.execve("/bin/sh", ["sh", "-c", loop], {})
    os._exit(0)
time.sleep(30)
"""
    result = bench.python(enforced, script.replace("OWN", OWN), seconds=2, grace=0.3)
    assert result.ending.reason is Reason.TIME
    assert result.ending.exit_code is None
    assert 0.8 <= result.ending.seconds < 4
    assert result.events.of("limit")[0]["limit"] == "time"
    assert not alive(f"daemon-{OWN}")
    ticks = (result.home / "agent/tick").stat().st_size
    assert ticks
    time.sleep(0.1)
    assert (result.home / "agent/tick").stat().st_size == ticks


def test_sigterm_reaches_all_and_may_be_answered(bench, enforced):
    script = """
trap 'echo saved > "$SUBMISSION_DIR/submission.csv"; wait; exit 0' TERM
(trap 'echo child > "$LOGS_DIR/child"; exit 0' TERM; while :; do sleep 0.05; done) &
while :; do sleep 0.05; done
"""
    result = bench(enforced, "sh", "-c", script, seconds=0.5, grace=5)
    assert (result.ending.reason, result.ending.exit_code) == (Reason.TIME, 0)
    assert result.ending.seconds < 3
    assert (result.home / "submission/submission.csv").read_text() == "saved\n"
    assert (result.home / "logs/child").read_text() == "child\n"


def test_daemon_is_gone_after_a_normal_end(bench, enforced):
    script = f"(env -i setsid sh -c 'sleep 20; : daemon-{OWN}' &) ; sleep 0.1; exit 4"
    result = bench(enforced, "sh", "-c", script)
    assert result.ending.exit_code == 4
    assert not alive(f"daemon-{OWN}")


def test_memory_bomb(bench, enforced):
    script = """
import time
hoard = []
while True:
    hoard.append(bytearray(8 * 2**20))
    time.sleep(0.01)
"""
    result = bench.python(enforced, script, memory=256 * MiB)
    assert result.ending.reason is Reason.MEMORY
    assert result.ending.exit_code == 137
    assert result.ending.peak_memory < 400 * MiB
    assert result.events.of("limit")[0]["limit"] == "memory"


def test_job_survives_its_greedy_child(bench, enforced):
    script = """
import subprocess, sys
bomb = "import time; b = []\\nwhile True: b.append(bytearray(8 * 2**20)); time.sleep(0.01)"
print(subprocess.run([sys.executable, "-c", bomb]).returncode)
"""
    result = bench.python(enforced, script, memory=256 * MiB)
    assert result.ending.reason is Reason.FINISHED
    assert result.log == "-9\n"
    assert "1 of its processes" in result.ending.detail


def test_shared_pages_count_once(bench, enforced):
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


def test_disk_filler(bench, enforced):
    result = bench(
        enforced,
        "sh",
        "-c",
        "i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > $i; done",
        disk=50 * MiB,
    )
    assert result.ending.reason is Reason.DISK
    assert result.ending.seconds < 10
    assert result.events.of("limit")[0]["value"] > 50 * MiB


def test_one_file_cannot_be_larger_than_the_disk_limit(bench, enforced):
    result = bench(enforced, "sh", "-c", "head -c 60000000 /dev/zero > big; wc -c < big", disk=50 * MiB)
    assert (result.home / "agent/big").stat().st_size <= 50 * MiB


def test_hidden_bytes_are_counted(bench, enforced):
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
time.sleep(20)
"""
    result = bench.python(enforced, script, disk=50 * MiB)
    assert result.ending.reason is Reason.DISK
    assert result.ending.seconds < 8


def test_too_many_processes(bench, enforced):
    # A bomb that would stop by itself: where nothing bounds it, it must not take the machine with it.
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
time.sleep(3 if started < 300 else 8)
"""
    result = bench.python(enforced, script.replace("OWN", OWN), processes=60)
    assert "processes" in [facts["limit"] for facts in result.events.of("limit")]
    if result.ending.reason is Reason.FINISHED:
        assert 50 <= int(result.log) < 70
    else:
        assert result.ending.reason is Reason.PROCESSES
        assert isinstance(enforced, ProcessSandbox)
    assert not alive(f"many-{OWN}")


def test_control_group_of_version_2(tmp_path):
    """Checks the names of the files: a folder stands in for version 2, which not every machine has."""
    (tmp_path / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    mounts = tmp_path / "mounts"
    mounts.write_text(f"cgroup2 {tmp_path} cgroup2 rw,nosuid 0 0\n")
    group = ControlGroup.create("t", Limits(memory=1000, processes=10, cpus=1.5), mounts)
    assert group and group.version == 2
    folder = tmp_path / "mlebench-t"
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written == {
        "memory.max": "1000",
        "memory.swap.max": "0",
        "pids.max": "18",
        "cpu.max": "150000 100000",
    }
    (folder / "memory.stat").write_text("anon 5\nfile 100\nshmem 7\n")
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    (folder / "pids.events").write_text("max 4\n")
    assert (group.memory(), group.out_of_memory_kills(), group.refused_processes()) == (12, 2, 4)
    assert group.wrap_command(("true",))[-2:] == ("--", "true")


def test_no_control_group_where_nothing_may_be_written(tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"cgroup {tmp_path / 'none'} cgroup rw,memory 0 0\n")
    assert ControlGroup.create("t", Limits(), mounts) is None


def test_disk_usage(tmp_path):
    (tmp_path / "sparse").open("wb").truncate(10**9)
    (tmp_path / "real").write_bytes(bytes(1_000_000))
    (tmp_path / "again").hardlink_to(tmp_path / "real")
    (tmp_path / "loop").symlink_to(tmp_path)
    *_, used = measure_disk_usage(tmp_path)
    assert 1_000_000 <= used < 1_100_000


def test_disk_meter_takes_a_large_folder_in_slices(tmp_path, monkeypatch):
    for i in range(3000):
        (tmp_path / f"{i}").write_bytes(b"x")
    monkeypatch.setattr("mlebench.sandbox.disk_meter._SLICE_SECONDS", 0)
    meter = DiskMeter(tmp_path, 3000 * 4096 - 1)
    used = [meter.measure(list) for _ in range(20)]
    assert used[:3] == [0, 0, 0]
    assert max(used) > 3000 * 4096 - 1


def test_disk_meter_hurries_in_a_large_folder_while_the_disk_fills(tmp_path, monkeypatch):
    for i in range(3000):
        (tmp_path / f"{i}").write_bytes(b"x")
    monkeypatch.setattr("mlebench.sandbox.disk_meter._SLICE_SECONDS", 0)
    meter = DiskMeter(tmp_path, 10**9)
    free = iter([10**12] + [10**11] * 9)
    meter._free_bytes = lambda: next(free)
    assert meter.measure(list) >= 3000 * 4096


def test_disk_meter_hurries_when_the_disk_fills(tmp_path, monkeypatch):
    meter = DiskMeter(tmp_path, 1000)
    meter._folder_throttle._next = time.monotonic() + 1000
    meter._free_throttle._next = 0
    assert not meter.is_due() or pytest.skip("somebody else is filling the disk")
    meter._free_throttle._next = 0
    monkeypatch.setattr(meter, "_free", meter._free + 2000)
    meter._free_bytes = lambda: meter._free - 2000
    assert meter.is_due()
