"""Takes more than its limit of processes, memory, disk, files or log. The mode says what.

Each attack stops at a few times its limit, and the fork bomb starts only after the kernel has refused a process. An
attack that gets through reports that it gained.
"""

import array
import contextlib
import ctypes
import errno
import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from attempts import LIBC, CannotTry, only_inside, report

only_inside()
PROCESSES, MEMORY, DISK, LOG = (int(limit) for limit in sys.argv[2:6])
MiB = 1024**2
CHUNK = os.urandom(MiB)
HELD = []


def wait_and_gain(detail):
    """Report a gain, unless the harness ends this process before."""
    time.sleep(30)
    report(sys.argv[1], True, detail)


def start_children(max_children):
    """Start children that sleep until the kernel refuses one, and return their number."""
    for number in range(max_children):
        try:
            pid = os.fork()
        except OSError:
            return number
        if not pid:
            time.sleep(20)
            os._exit(0)
    return max_children


def fork_bomb():
    number = start_children(2 * PROCESSES)
    if number >= 2 * PROCESSES:
        return report("fork_bomb", True, f"{number} processes")
    # The kernel enforces the limit. Now every process forks as often as it can for a while.
    end = time.monotonic() + 3
    while time.monotonic() < end:
        try:
            os.fork()
        except OSError:
            time.sleep(0.001)
    os._exit(0)


def threads():
    started = []
    try:
        for _ in range(2 * PROCESSES):
            started.append(threading.Thread(target=time.sleep, args=(2,), daemon=True))
            started[-1].start()
    except RuntimeError:
        report("threads", False, f"refused after {len(started)}")
        time.sleep(1)
    else:
        report("threads", True, f"{len(started)} threads")
    os._exit(0)


def memory():
    hoard = []
    for _ in range(3 * MEMORY // (16 * MiB)):
        hoard.append(bytearray(16 * MiB))
        time.sleep(0.01)
    wait_and_gain("three times the memory")


def memory_of_children():
    """Each child takes little."""
    for _ in range(12):
        if not os.fork():
            hoard = bytearray(b"x") * (MEMORY // 4)
            time.sleep(30)
            report("memory_of_children", True, "three times the memory") if hoard and os.getppid() > 1 else None
            os._exit(0)
        time.sleep(0.1)
    while True:
        _, status = os.wait()
        if os.WIFSIGNALED(status):
            os._exit(3)


def files_in_memory(folder):
    written = 0
    with open(f"{folder}/file", "wb", buffering=0) as file:
        while written < 3 * MEMORY:
            try:
                written += file.write(CHUNK)
            except OSError as error:
                return report(sys.argv[1], False, f"refused at {written}: {error.strerror}")
            time.sleep(0.001)
    return wait_and_gain("three times the memory")


def temporary():
    files_in_memory("/tmp")


def shared_memory():
    files_in_memory("/dev/shm")


def nameless_memory():
    for number in range(3 * MEMORY // (32 * MiB)):
        descriptor = os.memfd_create(f"{number}")
        for _ in range(32):
            os.write(descriptor, CHUNK)
        time.sleep(0.02)
    wait_and_gain("three times the memory")


def detached_memory():
    """System V shared memory, which remains when no process has it attached."""
    LIBC.shmat.restype = ctypes.c_void_p
    LIBC.shmdt.argtypes = [ctypes.c_void_p]
    held = 0
    for size in (16 * MiB, 65536):
        while held < 3 * MEMORY:
            number = LIBC.shmget(0, size, 0o1600)
            if number < 0:
                break
            here = LIBC.shmat(number, None, 0)
            ctypes.memset(here, 1, size)
            LIBC.shmdt(here)
            held += size
            time.sleep(size / (1 << 30))
    if held >= 3 * MEMORY:
        wait_and_gain("three times the memory")
    report("detached_memory", False, f"refused at {held}")


def mapped_memory():
    """Files without a name that are mapped but not open."""
    LIBC.mmap.restype = ctypes.c_void_p
    for number in range(3 * MEMORY // (32 * MiB)):
        descriptor = os.memfd_create(f"{number}")
        for _ in range(32):
            os.write(descriptor, CHUNK)
        size = ctypes.c_size_t(32 * MiB)
        LIBC.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, descriptor, ctypes.c_long(0))
        os.close(descriptor)
        time.sleep(0.02)
    wait_and_gain("three times the memory")


def disk():
    """Several files, each almost as large as the limit."""
    for number in range(4):
        with open(f"/home/code/{number}", "wb", buffering=0) as file:
            for _ in range(int(0.9 * DISK) // MiB):
                file.write(CHUNK)
    wait_and_gain("three times the disk")


def small_files():
    for number in range(4 * DISK // 65536):
        if number % 500 == 0:
            os.mkdir(f"/home/agent/{number}")
        with open(f"/home/agent/{number - number % 500}/{number}", "wb") as file:
            file.write(CHUNK[:65536])
    wait_and_gain("three times the disk")


def deleted():
    """Deleted files that are open."""
    for _ in range(4):
        file = tempfile.TemporaryFile(dir="/home/logs")  # noqa: SIM115
        HELD.append(file)
        for _ in range(int(0.9 * DISK) // MiB):
            file.write(CHUNK)
        file.flush()
    wait_and_gain("three times the disk")


def deleted_but_mapped():
    """Deleted files that are mapped but not open."""
    LIBC.mmap.restype = ctypes.c_void_p
    size = int(0.9 * DISK) // MiB * MiB
    for _ in range(4):
        descriptor = large_deleted_file()
        LIBC.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, mmap.MAP_SHARED, descriptor, ctypes.c_long(0))
        os.close(descriptor)
    wait_and_gain("three times the disk")


def end_first_thread():
    """End the first thread of this process: /proc shows it as a zombie while others live."""
    ctypes.CDLL(None).pthread_exit(None)


def deleted_in_a_thread():
    """A thread with its own table of open files, in a process whose first thread has ended."""

    def hold():
        LIBC.syscall(436, 1000, 1000, 2)  # close_range with CLOSE_RANGE_UNSHARE
        with contextlib.suppress(OSError):
            deleted()
        time.sleep(60)

    threading.Thread(target=hold).start()
    end_first_thread()


def large_deleted_file():
    """Return the descriptor of a deleted file; if the disk is full before it is complete, it stays open."""
    descriptor = os.open("/home/logs", os.O_TMPFILE | os.O_RDWR)
    for _ in range(int(0.9 * DISK) // MiB):
        os.write(descriptor, CHUNK)
    return descriptor


def deleted_in_messages():
    """Deleted files that only a message in a Unix socket holds."""
    for _ in range(4):
        one, other = socket.socketpair()
        descriptor = large_deleted_file()
        one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))])
        os.close(descriptor)
        HELD.extend((one, other))
    wait_and_gain("three times the disk")


def deleted_in_calls():
    """Deleted files that only a system call holds, which another thread makes and which does not return."""
    _, target = os.pipe()
    for _ in range(4):
        descriptor = large_deleted_file()
        threading.Thread(target=os.sendfile, args=(target, descriptor, 0, DISK), daemon=True).start()
        time.sleep(0.3)
        os.close(descriptor)
    wait_and_gain("three times the disk")


def memory_of_a_thread():
    threading.Thread(target=memory).start()
    end_first_thread()


def dropped_memory():
    """Shared memory whose pages no process has mapped."""
    for _ in range(3 * MEMORY // (32 * MiB)):
        shared = mmap.mmap(-1, 32 * MiB)
        for _ in range(32):
            shared.write(CHUNK)
        shared.madvise(mmap.MADV_DONTNEED)
        HELD.append(shared)
        time.sleep(0.02)
    wait_and_gain("three times the memory")


def page_tables():
    """Page tables for a page here and there; the pages themselves are the kernel's page of zeros."""
    step = 2 * MiB
    for _ in range(3 * MEMORY // (2 * MiB)):
        sparse = mmap.mmap(-1, 512 * step, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
        sparse.madvise(mmap.MADV_NOHUGEPAGE)
        for place in range(0, len(sparse), step):
            sparse[place]
        HELD.append(sparse)
        time.sleep(0.005)
    wait_and_gain("three times the memory")


def empty_files_in_memory():
    for number in range(3 * MEMORY // 1024):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    wait_and_gain(f"{3 * MEMORY // 1024} files")


def data_in_sockets():
    """Half of the sockets are of TCP; those that have sent are closed."""
    for number in range(4000):
        if number % 2:
            one, other = socket.socketpair()
        else:
            server = socket.create_server(("127.0.0.1", 0))
            one = socket.create_connection(server.getsockname())
            other, _ = server.accept()
            server.close()
        one.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while one.send(CHUNK):
                pass
        one.close()
        HELD.append(other)
    wait_and_gain("4000 full sockets")


def hidden():
    """Files in a folder that nobody may read."""
    os.mkdir("/home/agent/hidden")
    files = [open(f"/home/agent/hidden/{number}", "wb", buffering=0) for number in range(4)]  # noqa: SIM115
    os.chmod("/home/agent/hidden", 0)
    for each in files:
        for _ in range(int(0.9 * DISK) // MiB):
            each.write(CHUNK)
    wait_and_gain("three times the disk")


def deep():
    """Files at paths that are too long to be opened."""
    os.chdir("/home/agent")
    for _ in range(30):
        os.mkdir("d" * 250)
        os.chdir("d" * 250)
    for number in range(4):
        with open(f"{number}", "wb", buffering=0) as file:
            for _ in range(int(0.9 * DISK) // MiB):
                file.write(CHUNK)
    wait_and_gain("three times the disk")


def empty_files():
    """Empty files take no blocks, but the number of inodes is limited."""
    for number in range(DISK // 1024):
        if number % 5000 == 0:
            os.mkdir(f"/home/agent/{number}")
        os.close(os.open(f"/home/agent/{number - number % 5000}/{number}", os.O_CREAT | os.O_WRONLY))
    wait_and_gain(f"{DISK // 1024} files")


def many_open():
    """The harness looks at each open file; a hundred thousand of them must not delay its time limit."""
    import resource

    max_open = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (max_open, max_open))
    first = os.open("/home/agent/open", os.O_CREAT | os.O_RDWR)
    for _ in range(40):
        if not os.fork():
            for _ in range(min(max_open, 20_000) - 100):
                os.dup(first)
            signal.pause()
    signal.pause()


def log():
    """Write to standard output as fast as possible for three seconds."""
    end, piece = time.monotonic() + 3, b"x" * 65536
    while time.monotonic() < end:
        os.write(1, piece)
    report("log", False, "written")


def log_of_children():
    for _ in range(4):
        subprocess.Popen(["yes"])
    time.sleep(2)


def sockets():
    """As many silent connections to the submission check as possible."""
    held = []
    for _ in range(300):
        try:
            held.append(socket.create_connection(("127.0.0.1", 5000), timeout=0.5))
        except OSError:
            break
    time.sleep(2)
    os._exit(0)


try:
    globals()[sys.argv[1]]()
except CannotTry as reason:
    report(sys.argv[1], False, str(reason), tried=False)
except OSError as error:
    if error.errno != errno.ENOSPC:
        raise
    time.sleep(60)  # the harness has to end it, since it holds more than its limit
