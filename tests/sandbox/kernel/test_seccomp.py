"""Dangerous system calls are refused, and what jobs need works."""

from __future__ import annotations

import json
import platform
import struct

import pytest

from mlebench.sandbox.bubblewrap import BubblewrapSandbox
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


REFUSALS = """
import ctypes, errno, json, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long] * 7
def call(name, *arguments):
    ctypes.set_errno(0)
    number = json.loads(sys.argv[1])[name]
    answer = libc.syscall(number, *arguments, *[0] * (6 - len(arguments)))
    return errno.errorcode[ctypes.get_errno()] if answer == -1 else "done"
name = ctypes.cast(ctypes.c_char_p(b"name"), ctypes.c_void_p).value
program = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
filters = struct.pack("HxxxxxxQ", 1, ctypes.addressof(program))
with socket.socket() as one:
    try:
        one.setsockopt(socket.SOL_SOCKET, 26, filters)
    except OSError as error:
        print("SO_ATTACH_FILTER", errno.errorcode[error.errno])
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
print("mmap", call("mmap", 0, 1 << 21, 3, 0x22, -1), call("mmap", 0, 1 << 21, 3, 0x40022, -1))
print("memfd_create", call("memfd_create", name, 0), call("memfd_create", name, 4))
print("shmget", call("shmget", 0, 4096, 0o600), call("shmget", 0, 4096, 0o4600))
print("semget", call("semget", 0, 32, 0o600), call("semget", 0, 33, 0o600))
print("missing", *sorted({call(name, 1, 0) for name in ("clone3", "io_setup", "memfd_secret")}))
print("newer", *sorted({call(name) for name in ("first unknown", "far")}))
print("msgget", call("msgget", 0, 0o600))
"""


def numbers_for_refusals(machine):
    calls = syscalls.JUDGED[machine] | syscalls.MISSING[machine] | syscalls.UNCOUNTED[machine]
    return json.dumps(calls | {"first unknown": syscalls.FIRST_UNKNOWN, "far": 5000})


def test_what_no_limit_counts_is_refused(bench, isolating, machine):
    result = bench(isolating, "{python}", "-c", REFUSALS, numbers_for_refusals(machine))
    assert result.log.splitlines() == [
        "SO_ATTACH_FILTER EPERM",
        "mmap done ENOMEM",
        "memfd_create done EINVAL",
        "shmget done EINVAL",
        "semget done EINVAL",
        "missing ENOSYS",
        "newer ENOSYS",
        "msgget done",
    ]


def test_without_a_control_group_more_is_refused_and_a_job_stays_on_its_processors(bench, bubblewrap, machine):
    polling = BubblewrapSandbox(control_groups=False)
    result = bench(polling, "{python}", "-c", REFUSALS, numbers_for_refusals(machine), cpus=1)
    assert result.log.splitlines()[4:] == [
        "semget ENOSYS ENOSYS",
        "missing ENOSYS",
        "newer ENOSYS",
        "msgget ENOSYS",
    ]
    script = """
import os
before = os.sched_getaffinity(0)
os.sched_setaffinity(0, range(999))
print(len(before), before == os.sched_getaffinity(0))
"""
    assert bench.python(polling, script, cpus=1).log == "1 True\n"


def test_what_jobs_need_works(bench, isolating):
    result = bench.python(isolating, f"if __name__ == '__main__':\n    exec({WORK!r})")
    assert result.log.splitlines() == ["6", "shell", "(200, 4)"], result.log


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("kernel_enforces", [True, False])
def test_every_jump_stays_inside_the_filter(machine, kernel_enforces):
    content = seccomp.make_filter(machine, kernel_enforces=kernel_enforces, pins_processors=not kernel_enforces)
    lines = list(struct.iter_unpack("<HBBI", content))
    assert len(lines) < 4096  # what the kernel takes
    for place, (code, yes, no, _) in enumerate(lines):
        assert place + 1 + max(yes, no) < len(lines) or code == 0x06
    assert lines[-1] == (0x06, 0, 0, 0x7FFF0000)
