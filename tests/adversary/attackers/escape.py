"""Tries to escape: namespaces, mounts, privileges, other processes, devices, and other interfaces of the kernel.

Each call is one that does no harm if it succeeds.
"""

import ctypes
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from attempts import CannotTry, attempt, only_inside, system_call

only_inside()

_X86 = dict(
    ptrace=101,
    syslog=103,
    pivot_root=155,
    mount=165,
    swapon=167,
    reboot=169,
    sethostname=170,
    init_module=175,
    keyctl=250,
    add_key=248,
    unshare=272,
    perf_event_open=298,
    open_by_handle_at=304,
    setns=308,
    process_vm_readv=310,
    finit_module=313,
    kexec_load=246,
    bpf=321,
    userfaultfd=323,
    io_uring_setup=425,
    open_tree=428,
    fsopen=430,
    clone3=435,
    pidfd_open=434,
    pidfd_getfd=438,
    iopl=172,
    acct=163,
    settimeofday=164,
    quotactl=179,
    fanotify_init=300,
)
_ARM = dict(
    ptrace=117,
    syslog=116,
    pivot_root=41,
    mount=40,
    swapon=224,
    reboot=142,
    sethostname=161,
    init_module=105,
    keyctl=219,
    add_key=217,
    unshare=97,
    perf_event_open=241,
    open_by_handle_at=265,
    setns=268,
    process_vm_readv=270,
    finit_module=273,
    kexec_load=104,
    bpf=280,
    userfaultfd=282,
    io_uring_setup=425,
    open_tree=428,
    fsopen=430,
    clone3=435,
    pidfd_open=434,
    pidfd_getfd=438,
    acct=89,
    settimeofday=170,
    quotactl=60,
    fanotify_init=262,
)
CALLS = {"x86_64": _X86, "aarch64": _ARM}.get(platform.machine(), {})
NEW_USER, NEW_NET, NEW_MOUNTS = 0x10000000, 0x40000000, 0x00020000


def call(name, *arguments):
    if name not in CALLS:
        raise CannotTry(f"{name} has no number here")
    return system_call(CALLS[name], *arguments)


def succeeds(name, *arguments):
    """Make a system call in a child, so that its effects end with the child; return its name if it succeeds."""
    child = os.fork()
    if not child:
        try:
            call(name, *arguments)
        except CannotTry:
            os._exit(99)
        except OSError as error:
            os._exit(min(error.errno, 98))
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == 99:
        raise CannotTry(f"{name} has no number here")
    if code > 0:
        raise OSError(code, os.strerror(code))
    return code == 0 and name


def writes(*paths, text="0"):
    """Write to each file, and return those that can be written."""
    found = []
    for path in paths:
        try:
            with open(path, "r+b", buffering=0) as file:
                file.write(text.encode())
        except OSError:
            continue
        found.append(path)
    return found


@attempt
def privileges():
    status = dict(line.split(":\t") for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    capabilities = [name for name in status if name.startswith("Cap") and int(status[name], 16)]
    return capabilities or (status["NoNewPrivs"] != "1" and "new privileges") or (os.getuid() == 0 and "root")


@attempt
def without_a_filter():
    return "\nSeccomp:\t2" not in Path("/proc/self/status").read_text() and "system calls are not filtered"


@attempt
def become_root():
    for change in (os.setuid, os.seteuid, os.setgid):
        try:
            change(0)
        except OSError:
            continue
        return change.__name__
    os.setgroups([0])
    return "groups"


@attempt
def setuid_program():
    """Setuid programs such as `su` run as the caller, because of no_new_privs."""
    for program in ("/usr/bin/su", "/bin/su", "/usr/bin/passwd", "/usr/bin/newgrp", "/bin/mount"):
        if os.path.exists(program) and os.stat(program).st_mode & 0o4000:
            copy = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            try:
                users = Path(f"/proc/{copy.pid}/status").read_text().split("Uid:")[1].split()[:4]
            except OSError:
                users = []
            finally:
                copy.kill()
                copy.communicate()
            return "0" in users and program
    raise CannotTry("there is no setuid program")


@attempt
def own_setuid_program():
    path = Path("/tmp/setuid")
    path.write_bytes(Path("/bin/true").read_bytes())
    os.chown(path, 0, 0)
    path.chmod(0o6755)
    return "a program that belongs to root"


@attempt
def user_namespace():
    return succeeds("unshare", NEW_USER)


@attempt
def user_namespace_by_clone():
    """`clone` instead of `unshare`, with a child that only exits."""
    number = {"x86_64": 56, "aarch64": 220}.get(platform.machine())
    if number is None:
        raise CannotTry("clone has no number here")
    pid = system_call(number, NEW_USER | signal.SIGCHLD, 0, 0, 0, 0)
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return "clone"


@attempt
def user_namespace_by_clone3():
    arguments = (ctypes.c_uint64 * 11)(NEW_USER, 0, 0, 0, signal.SIGCHLD)
    pid = call("clone3", ctypes.byref(arguments), ctypes.sizeof(arguments))
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return "clone3"


@attempt
def user_namespace_by_program():
    try:
        done = subprocess.run(["unshare", "-Ur", "id", "-u"], capture_output=True, text=True, timeout=10)
    except FileNotFoundError:
        raise CannotTry("there is no program unshare") from None
    return done.stdout


@attempt
def mount_namespace():
    return succeeds("unshare", NEW_MOUNTS)


@attempt
def network_namespace():
    return succeeds("unshare", NEW_NET)


@attempt
def namespace_of_the_first_process():
    for kind in ("mnt", "net", "pid", "user"):
        with open(f"/proc/1/ns/{kind}") as file:
            succeeds("setns", file.fileno(), 0)
    return "entered"


@attempt
def mounting():
    return succeeds("mount", b"none", b"/tmp", b"tmpfs", 0, 0)


@attempt
def mounting_by_new_calls():
    return succeeds("fsopen", b"tmpfs", 0)


@attempt
def cloned_mounts():
    return succeeds("open_tree", -100, b"/home/data", 1)


@attempt
def remount_of_data():
    return succeeds("mount", b"none", b"/home/data", b"none", 32 | 4096, 0)


@attempt
def changing_root():
    os.chroot("/tmp")
    return "chroot"


@attempt
def file_handles():
    return succeeds("open_by_handle_at", -100, b"\0" * 16, 0)


@attempt
def devices():
    for mode, number in ((0o20666, (1, 1)), (0o60666, (8, 0)), (0o60666, (254, 0))):
        os.mknod(f"/tmp/device-{number[0]}", mode, os.makedev(*number))
    return "made"


@attempt
def tracing_the_first_process():
    """Tracing a process of the same user is a gain only if it has more privileges or open files."""
    succeeds("ptrace", 0x4206, 1, 0, 0)  # PTRACE_SEIZE, which does not stop it
    names = ("Uid", "CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "Seccomp", "Seccomp_filters")
    mine, its = (Path(f"/proc/{pid}/status").read_text().splitlines() for pid in ("self", 1))
    more = {line for line in its if line.startswith(names)} - set(mine)
    known = ("/dev/null", "anon_inode:[eventfd]", "anon_inode:[signalfd]", os.readlink("/proc/self/fd/1"))
    open_files = {os.readlink(f"/proc/1/fd/{number}") for number in os.listdir("/proc/1/fd")}
    return more | open_files - set(known)


@attempt
def memory_of_the_first_process():
    local, remote = (ctypes.c_uint64 * 2)(0, 8), (ctypes.c_uint64 * 2)(0x400000, 8)
    return succeeds("process_vm_readv", 1, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)


def is_taken(descriptor, number):
    try:
        return call("pidfd_getfd", descriptor, number, 0) >= 0
    except OSError:
        return False


@attempt
def open_files_of_the_first_process():
    descriptor = call("pidfd_open", 1, 0)
    try:
        return [number for number in range(64) if is_taken(descriptor, number)]
    finally:
        os.close(descriptor)


@attempt
def killing_the_first_process():
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGINT, signal.SIGHUP):
        try:
            os.kill(1, number)
        except PermissionError:
            continue
    time.sleep(0.3)
    return Path("/proc/1/stat").read_text().rpartition(")")[2].split()[0] in "TtZX" and "it is stopped"


@attempt
def keys_of_the_kernel():
    return succeeds("keyctl", 0, -3, 1)


@attempt
def key_of_my_own():
    return succeeds("add_key", b"user", b"left-behind", b"x", 1, -4)


@attempt
def asynchronous_calls():
    return succeeds("io_uring_setup", 1, ctypes.create_string_buffer(256))


@attempt
def page_faults():
    """Handling faults of user mode (flag 1) is harmless; handling those of the kernel helps exploits."""
    return succeeds("userfaultfd", 0)


@attempt
def performance_counters():
    attributes = ctypes.create_string_buffer(128)
    attributes[4] = 128
    attributes[40] = 0
    return succeeds("perf_event_open", attributes, -1, 0, -1, 0)


@attempt
def programs_in_the_kernel():
    return succeeds("bpf", 0, ctypes.create_string_buffer(b"\x02\0\0\0\x04\0\0\0\x04\0\0\0\x01", 128), 128)


@attempt
def modules():
    return succeeds("init_module", b"", 0, b"")


@attempt
def another_kernel():
    return succeeds("kexec_load", 0, 0, 0, 0)


@attempt
def reboot():
    return succeeds("reboot", 0xFEE1DEAD, 672274793, 0, 0)  # only configures Ctrl-Alt-Del


@attempt
def swap():
    return succeeds("swapon", b"/tmp/none", 0)


@attempt
def clock():
    return succeeds("settimeofday", 0, ctypes.byref((ctypes.c_int * 2)(0, 0)))


@attempt
def host_name():
    return succeeds("sethostname", b"mine", 4)


@attempt
def ports():
    if "iopl" not in CALLS:
        raise CannotTry("there are none on this architecture")
    return succeeds("iopl", 3)


@attempt
def kernel_log():
    return succeeds("syslog", 3, ctypes.create_string_buffer(100), 100)


@attempt
def watching_all_files():
    return succeeds("fanotify_init", 4, 0)


@attempt
def kernel_parameters():
    names = ("kernel/core_pattern", "kernel/hostname", "kernel/modprobe", "vm/overcommit_memory", "fs/file-max")
    return writes(*(f"/proc/sys/{name}" for name in names))


@attempt
def system_requests():
    return writes("/proc/sysrq-trigger", text="h")  # prints a help text


@attempt
def sysfs():
    found = []
    for folder, _, names in os.walk("/sys"):
        if folder.count("/") > 5:
            continue
        found += [path for name in names if os.access(path := f"{folder}/{name}", os.W_OK)]
        if len(found) > 5:
            break
    return writes(*found, text="")


@attempt
def control_groups():
    """Leave the group, or raise its limits."""
    found = []
    for top in ("/sys/fs/cgroup", "/proc/self/root/sys/fs/cgroup"):
        for folder, _, names in os.walk(top):
            found += [f"{folder}/{name}" for name in names if name.endswith((".max", "limit_in_bytes", "procs"))]
            try:
                os.mkdir(f"{folder}/mine")
            except OSError:
                continue
            return f"{folder}/mine"
    return writes(*found, text="-1")


@attempt
def release_agent():
    return [path for path in Path("/sys/fs/cgroup").glob("*/release_agent") if os.access(path, os.W_OK)]


@attempt
def priority():
    os.setpriority(os.PRIO_PROCESS, 0, -5)
    return "a better priority"


@attempt
def real_time():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    return "real-time scheduling"


@attempt
def unkillable():
    """A job must not exempt itself from being killed when memory runs out."""
    before = int(Path("/proc/self/oom_score_adj").read_text())
    Path("/proc/self/oom_score_adj").write_text(str(max(-1000, before - 500)))
    return int(Path("/proc/self/oom_score_adj").read_text()) < before and "spared"


@attempt
def higher_limits():
    raised = []
    for name in ("RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_MEMLOCK"):
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        if hard == resource.RLIM_INFINITY:
            continue
        try:
            resource.setrlimit(kind, (hard + 1, hard + 1))
        except (OSError, ValueError):
            continue
        raised.append(name)
    return raised


@attempt
def dumps_of_memory():
    """The kernel writes core dumps into the current folder, or to a program of the host, unless the limit is 1."""
    return resource.getrlimit(resource.RLIMIT_CORE) != (1, 1) and "core dumps are on"


@attempt
def all_processors():
    """On however many processors it runs, a job gets the time of one."""
    with open("/proc/cpuinfo") as file:
        number = file.read().count("processor\t")
    if number < 2:
        raise CannotTry("there is one processor")
    os.sched_setaffinity(0, range(number))
    before, began = sum(os.times()[2:4]), time.monotonic()
    children = []
    for processor in range(number):
        child = os.fork()
        if not child:
            os.sched_setaffinity(0, [processor])
            while time.monotonic() < began + 1:
                pass
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    share = (sum(os.times()[2:4]) - before) / (time.monotonic() - began)
    return share > 1.4 and f"the time of {share:.1f} processors"


@attempt
def terminal():
    """Type into the terminal from which the harness was started."""
    import fcntl
    import termios

    descriptor = os.open("/dev/tty", os.O_RDWR)
    for letter in b"id\n":
        fcntl.ioctl(descriptor, termios.TIOCSTI, bytes([letter]))
    return "typed"


@attempt
def terminal_by_standard_streams():
    return [number for number in range(3) if os.isatty(number)]


@attempt
def inherited_files():
    """Only the three standard streams may be open."""
    found = []
    for number in range(3, 4096):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(os.readlink(f"/proc/self/fd/{number}"))
    return found


@attempt
def read_only_places():
    places = [
        "/home/data/new",
        "/home/instructions.txt",
        "/home/validate_submission.sh",
        "/new",
        "/home/new",
        "/etc/new",
    ]
    places += [
        "/usr/new",
        "/run/harness/new",
        "/run/harness/5000.sock.new",
        "/dev/new",
        "/proc/new",
        sys.prefix + "/new",
    ]
    found = []
    for path in places:
        try:
            with open(path, "a") as file:
                file.write("x")
        except OSError:
            continue
        found.append(path)
    return found


@attempt
def replaced_files():
    found = []
    for path in (
        "/home/data",
        "/home/instructions.txt",
        "/home/validate_submission.sh",
        "/run/harness/5000.sock",
        "/home/submission",
        "/home/data/sample_submission.csv",
        "/etc/passwd",
    ):
        for change in (lambda p: os.rename(p, p + ".old"), os.unlink, lambda p: os.chmod(p, 0o777), os.rmdir):
            try:
                change(path)
            except OSError:
                continue
            found.append((path, getattr(change, "__name__", "")))
    return [item for item in found if item[0] != "/home/submission" or item[1] not in ("<lambda>",)]


@attempt
def hard_links_to_data():
    os.link("/home/data/sample_submission.csv", "/home/submission/linked.csv")
    return "linked"


@attempt
def huge_file():
    """The kernel refuses a file that is larger than the limit of the disk."""
    path = Path("/home/agent/huge")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with path.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, 1 << 40)
        return "a terabyte"
    finally:
        path.unlink(missing_ok=True)


@attempt
def shared_memory_of_the_host():
    """System V shared memory, message queues and semaphores of the host."""
    return [
        line for name in ("shm", "msg", "sem") for line in Path(f"/proc/sysvipc/{name}").read_text().splitlines()[1:]
    ]


def succeeds_by_number(number):
    child = os.fork()
    if not child:
        try:
            system_call(number)
        except OSError as error:
            os._exit(min(error.errno, 98))
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code > 0:
        raise OSError(code, os.strerror(code))
    return code == 0 and number


@attempt
def other_architecture():
    """System call numbers of the x32 interface may bypass a filter that knows one table only."""
    if platform.machine() != "x86_64":
        raise CannotTry("only x86_64 has two")
    return succeeds_by_number(0x40000000 + 39)


@attempt
def sockets_beside_the_network():
    """Socket families that network namespaces do not isolate, such as those to the hypervisor."""
    found = []
    for name, family in dict(vsock=40, bluetooth=31, can=29, ipsec=15, tipc=30, algorithms=38, smc=43, xdp=44).items():
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            try:
                socket.socket(family, kind).close()
            except OSError:
                continue
            found.append(name)
    return found
