"""Dangerous system calls are refused, and what jobs need works."""

from __future__ import annotations

import json
import platform
import struct

import pytest

from mlebench.sandbox.kernel import seccomp, syscalls

TRY = """
import ctypes, errno, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
results = {}
for name, number in json.loads(sys.argv[1]).items():
    ctypes.set_errno(0)
    answer = libc.syscall(number, -1, 0, 0, 0, 0, 0)
    results[name] = errno.errorcode.get(ctypes.get_errno(), "none") if answer == -1 else f"answer {answer}"
for flag in (0x10000000, 0x20000000, 0x40000000, 0x00020000, 0x02000000, 0x04000000, 0x08000000):
    ctypes.set_errno(0)
    pid = libc.syscall(CLONE, flag | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    results[f"clone {flag:#x}"] = errno.errorcode.get(ctypes.get_errno(), "none")
ctypes.set_errno(0)
libc.syscall(435, 0, 0)
results["clone3"] = errno.errorcode.get(ctypes.get_errno(), "none")
results["Seccomp"] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("Seccomp:")][0]
print(json.dumps(results))
"""
WORK = """
import multiprocessing, subprocess, threading
import numpy, pandas
from sklearn.ensemble import RandomForestClassifier
x = numpy.random.default_rng(0).normal(size=(200, 4))
model = RandomForestClassifier(20, n_jobs=2).fit(x, x[:, 0] > 0)
threads = [threading.Thread(target=model.predict, args=(x,)) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
with multiprocessing.get_context("spawn").Pool(2) as pool:
    print(sum(pool.map(abs, range(-3, 0))))
print(subprocess.check_output(["sh", "-c", "echo shell"], text=True).strip())
print(pandas.DataFrame(x).shape)
"""


@pytest.fixture
def machine(require):
    require(None if seccomp.is_supported() else f"there is no filter for {platform.machine()}")
    return platform.machine()


def test_denied_calls_are_refused(bench, isolating, machine):
    numbers = syscalls.DENIED[machine]
    script = TRY.replace("CLONE", str(syscalls.JUDGED[machine]["clone"]))
    result = bench(isolating, "{python}", "-c", script, json.dumps(numbers))
    answers = json.loads(result.log)
    assert answers.pop("Seccomp") == "2"
    assert answers.pop("clone3") == "ENOSYS"
    assert set(answers.values()) == {"EPERM"}


def test_segments_of_shared_memory_must_be_small(bench, isolating, machine):
    script = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
libc.shmget.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_int]
for size in (1, SIZE, SIZE + 1, 1 << 32, (1 << 32) + 1):
    print("made" if libc.shmget(0, size, 0o600) >= 0 else errno.errorcode[ctypes.get_errno()])
"""
    result = bench.python(isolating, script.replace("SIZE", str(seccomp.MAX_SEGMENT_BYTES)))
    assert result.log.split() == ["made", "made", "EINVAL", "EINVAL", "EINVAL"]


def test_what_jobs_need_works(bench, isolating):
    result = bench.python(isolating, f"if __name__ == '__main__':\n    exec({WORK!r})")
    assert result.log.splitlines() == ["6", "shell", "(200, 4)"], result.log


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_jump_stays_inside_the_filter(machine):
    lines = list(struct.iter_unpack("<HBBI", seccomp.make_filter(machine)))
    assert len(lines) < 4096  # what the kernel takes
    for place, (code, yes, no, _) in enumerate(lines):
        assert place + 1 + max(yes, no) < len(lines) or code == 0x06
    assert lines[-1] == (0x06, 0, 0, 0x7FFF0000)
