"""A job cannot take what the whole machine has a fixed number of: while it holds all that it gets, others get some."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from mlebench.sandbox.kernel.devpts import MAX_TERMINALS
from mlebench.sandbox.limits import GiB
from mlebench.sandbox.stop import StopSignal
from tests.waiting import wait_until

pytestmark = pytest.mark.slow("programs")

TAKE = """
import ctypes, errno, fcntl, json, os, platform, resource, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
held = []

def number(answer):
    if answer < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return answer

def terminal():
    held.extend(os.openpty())

def asynchronous_io():
    context = ctypes.c_ulong(0)
    number(libc.syscall(206 if X86 else 0, 1024, ctypes.byref(context)))

def socket_filter():
    program = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0) * 4096)
    one = socket.socket(socket.AF_UNIX)
    one.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HxxxxxxQ", 16, ctypes.addressof(program)))
    held.append(one)

def watcher():
    held.append(number(libc.inotify_init()))

def timer():
    event = ctypes.create_string_buffer(64)
    struct.pack_into("qii", event, 0, 0, 10, 1)  # SIGEV_NONE with another signal
    number(libc.syscall(222 if X86 else 107, 1, event, ctypes.byref(ctypes.c_int())))

def message_queue():
    name = b"/queue-%d-%d" % (os.getpid(), len(held))
    queue = number(libc.syscall(240 if X86 else 180, name[1:], os.O_CREAT | os.O_RDWR, 0o600, None))
    libc.syscall(241 if X86 else 181, name[1:])  # unlinked, but open
    held.append(queue)

def key():
    number(libc.syscall(248 if X86 else 217, b"user", b"name-%d" % len(held), b"x" * 1000, 1000, -2))
    held.append(None)

def huge_page():
    libc.mmap.restype = ctypes.c_void_p
    place = libc.mmap(None, ctypes.c_size_t(2 << 20), 3, 0x40022, -1, ctypes.c_long(0))
    if place in (None, 2**64 - 1):
        raise OSError(errno.ENOMEM, "refused")

def user_namespace():
    child = os.fork()
    if not child:
        os._exit(libc.unshare(0x10000000) and 1)
    if os.waitpid(child, 0)[1]:
        raise OSError(errno.EPERM, "refused")

def file():
    held.append(os.open("/proc/self/stat", os.O_RDONLY))

def connection():
    # With as much data under way as the kernel takes.
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    other, _ = server.accept()
    client.setblocking(False)
    try:
        while client.send(bytes(1 << 20)):
            pass
    except BlockingIOError:
        pass
    held.extend((server, client, other))

def take(name, maximum):
    for taken in range(maximum):
        try:
            globals()[name]()
        except (OSError, ValueError):
            return taken
    return maximum
"""
HOARD = """
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
readers = []
for name, maximum in json.loads(sys.argv[1]).items():
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, b"%d" % take(name, maximum))
        os.close(writer)
        import signal
        signal.pause()
    os.close(writer)
    readers.append((name, reader))
print(json.dumps({name: int(os.read(reader, 100)) for name, reader in readers}), flush=True)
import signal
signal.pause()
"""
SHARE = """
print(json.dumps({name: take(name, 1) for name in sys.argv[1:]}))
"""


@dataclass(frozen=True)
class Resource:
    """Something of which the machine has a fixed number, or each of its users."""

    tried: int
    """How many a job tries to take: more than one job may have."""
    allowed: int
    """How many it may get."""


RESOURCES = {
    "terminal": Resource(3500, MAX_TERMINALS),
    "asynchronous_io": Resource(64, 0),
    "socket_filter": Resource(2000, 0),
    "watcher": Resource(1000, 128),
    "timer": Resource(20_000, 8192),
    "message_queue": Resource(300, 100),
    "key": Resource(300, 0),
    "huge_page": Resource(8, 0),
    "user_namespace": Resource(8, 0),
    "file": Resource(2_000_000, 1 << 20),
    "connection": Resource(300, 300),
}
SOCKET_BYTES = 600 << 20
"""More than a job may have under way in its connections, also if three do, and less than 300 of them take elsewhere."""


def connection_bytes():
    """Return the memory of all TCP connections of this machine, of all network namespaces."""
    (line,) = [line for line in Path("/proc/net/sockstat").read_text().splitlines() if line.startswith("TCP:")]
    return int(line.split()[-1]) * os.sysconf("SC_PAGE_SIZE")


def neighbour(plain_python, *names):
    """Return which resources a program of another user of this machine gets."""
    user = ("setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups") if os.geteuid() == 0 else ()
    done = subprocess.run(
        [*user, plain_python, "-c", TAKE + SHARE, *names], capture_output=True, text=True, check=True, cwd="/"
    )
    return {name for name, taken in json.loads(done.stdout).items() if taken}


@pytest.mark.skipif(os.geteuid() != 0, reason="without root, jobs share what their account may have")
def test_a_job_that_takes_everything_leaves_others_their_share(bench, isolating, plain_python):
    possible = neighbour(plain_python, *RESOURCES)
    assert possible >= {"terminal", "asynchronous_io", "watcher", "timer", "file"}
    stop, results = StopSignal(), []
    command = ("{python}", "-c", TAKE + HOARD, json.dumps({name: one.tried for name, one in RESOURCES.items()}))
    thread = threading.Thread(
        target=lambda: results.append(bench(isolating, *command, stop=stop, processes=64, memory=2 * GiB))
    )
    thread.start()
    try:
        log = bench.folder / "run-1" / "job.log"
        wait_until(lambda: results or (log.exists() and log.read_text().endswith("\n")))
        assert not results, (results[0].ending, results[0].log)
        taken = json.loads(log.read_text())
        assert {name: number for name, number in taken.items() if number > RESOURCES[name].allowed} == {}
        assert connection_bytes() < SOCKET_BYTES
        assert neighbour(plain_python, *possible) == possible
        second = bench(isolating, "{python}", "-c", TAKE + SHARE, "terminal", "watcher", "timer", "file", "connection")
        assert set(json.loads(second.log).values()) == {1}
    finally:
        stop.request()
        thread.join()
