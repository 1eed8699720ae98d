"""First process inside a sandbox: opens the holes, then becomes the job's command, or minds it.

Runs as `python -I -S inside.py FD`, with nothing but the standard library; FD holds a JSON object:

    command      argument vector of the job
    status       file descriptor to which one JSON line goes as soon as the holes are open
    holes        list of [port, Unix socket, {environment variable: what follows the address}]
    limits       resource limits by name, such as {"RLIMIT_FSIZE": 1024}
    cpus         CPUs to run on, or null
    harness      process id of the harness to mind the command on behalf of it, or null to become the command
    environment  the job's variables, beside those of the image, or null for those that are there
    filter       filter of system calls to put on, in hexadecimal, or null

In a container it runs as `python -I -S inside.py SOCKET`: the object is the first line that comes from there,
the answers go there, and later the word `terminate` may come. It stays process 1: when the socket closes, the
harness is gone, and so is the job.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def listen(port: int, *, elsewhere: bool) -> socket.socket:
    """Listen on that port of the loopback interface, or on any free one if it is taken."""
    try:
        return socket.create_server(("127.0.0.1", port), backlog=64)
    except OSError:
        if not elsewhere:
            raise
        return socket.create_server(("127.0.0.1", 0), backlog=64)


def pump(source: socket.socket, target: socket.socket) -> None:
    """Copy one direction of a connection to its end."""
    # A target that takes no more must not close the other direction: a server may refuse an upload half-way,
    # and its answer is still on the way. So the rest is read and dropped.
    open_target = True
    with suppress(OSError):
        while data := source.recv(65536):
            if open_target:
                try:
                    target.sendall(data)
                except OSError:
                    open_target = False
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def connect(client: socket.socket, path: str) -> None:
    """Join a connection from inside to the harness's socket."""
    with client, socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(path)
        except OSError:
            return
        back = threading.Thread(target=pump, args=(server, client), daemon=True)
        back.start()
        pump(client, server)
        back.join()


def serve(listener: socket.socket, path: str) -> None:
    """Accept connections for ever."""
    while True:
        client, _ = listener.accept()
        try:
            threading.Thread(target=connect, args=(client, path), daemon=True).start()
        except RuntimeError:  # the job has used up its processes
            client.close()


def forward(listeners: list[tuple[socket.socket, str]]) -> None:
    """Serve the holes; never returns."""
    # The job gets SIGTERM at its deadline and may still want to check its submission.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    threads = [threading.Thread(target=serve, args=pair, daemon=True) for pair in listeners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def fork_forwarder(listeners: list[tuple[socket.socket, str]], status: int) -> None:
    """Start the forwarder as nobody's child: a command that waits for all its children must not see it."""
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.close(status)
    try:
        forward(listeners)
    finally:
        os._exit(1)


def become(command: list[str]) -> None:
    """Replace this process by the command; end like a shell where that cannot be done."""
    # Python ignores these two, and ignored signals stay ignored after exec.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def control_process(option: int, value: int) -> None:
    """Call prctl(2)."""
    import ctypes

    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl failed")


def filter_calls(content: bytes) -> None:
    """Put on a filter of system calls, beside the one that the engine has put on."""
    import ctypes

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    program = Program(len(content) // 8, content)
    if ctypes.CDLL(None, use_errno=True).prctl(22, 2, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")


def children_of(parents: set[int]) -> set[int]:
    """Return the processes below these, from one look at /proc."""
    parent_of = {}
    # pathlib would cost a tenth of a second at every start.
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            parent_of[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    found: set[int] = set()
    level = parents
    while level:
        level = {pid for pid, parent in parent_of.items() if parent in level} - found
        found |= level
    return found


def kill_all_below() -> None:
    """Kill every descendant of this process until none is left."""
    while True:
        for pid in children_of({os.getpid()}):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return


def mind(command: list[str], harness: int, tell: Callable[[], None]) -> int:
    """Run the command as a child and return its exit code when nothing that it started is left.

    Orphans become children of this process (PR_SET_CHILD_SUBREAPER), so none gets lost; and the end of the
    harness, even by SIGKILL, is the end of them all (PR_SET_PDEATHSIG).
    """

    def harness_is_gone(*_: object) -> None:
        kill_all_below()
        os._exit(128 + signal.SIGKILL)

    signal.signal(signal.SIGUSR1, harness_is_gone)
    control_process(36, 1)
    control_process(1, signal.SIGUSR1)
    if os.getppid() != harness:  # it ended before anybody would have told
        harness_is_gone()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        os.setsid()
        control_process(1, signal.SIGKILL)
        become(command)
    tell()  # from now on there is somebody who can be asked to end
    while True:
        pid, result = os.waitpid(-1, 0)
        if pid == child:
            kill_all_below()
            code = os.waitstatus_to_exitcode(result)
            return code if code >= 0 else 128 - code


def prepare(plan: dict[str, Any], *, elsewhere: bool, status: int) -> list[int]:
    """Open the holes and take on the limits; return the ports of the holes."""
    if plan["cpus"]:
        os.sched_setaffinity(0, plan["cpus"])
    listeners, ports = [], []
    for port, path, variables in plan["holes"]:
        listener = listen(port, elsewhere=elsewhere)
        listeners.append((listener, path))
        ports.append(listener.getsockname()[1])
        os.environ.update({name: f"http://localhost:{ports[-1]}{rest}" for name, rest in variables.items()})
    if listeners:
        fork_forwarder(listeners, status)
    for listener, _ in listeners:
        listener.close()
    for name, value in plan["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))
    return ports


def counted(*places: tuple[str, bytes]) -> int:
    """Return the number that the kernel keeps in the first of these files of a control group that there is."""
    for path, key in places:
        with suppress(OSError), open(path, "rb") as file:  # noqa: PTH123
            for line in file:
                words = line.split()
                if words[0] == key:
                    return int(words[1])
    return 0


def reap_all() -> None:
    """Kill all other processes of the container and wait for their ends."""
    while True:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def be_first(command: list[str], control: socket.socket) -> int:
    """Run the command as process 1 of a container; return its exit code when nothing else is left."""

    def terminate_all(*_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGTERM)

    def listen_to_harness() -> None:
        for word in control.makefile("r"):
            if word == "terminate\n":
                terminate_all()
        os._exit(128 + signal.SIGKILL)  # and the kernel kills the others

    child = os.fork()
    if not child:
        os.setsid()
        os.dup2(1, 2)  # two pipes would mix up the order of lines
        become(command)
    signal.signal(signal.SIGTERM, terminate_all)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the job may send it, and Python's own handler would end this
    threading.Thread(target=listen_to_harness, daemon=True).start()
    pid = 0
    while pid != child:
        pid, result = os.waitpid(-1, 0)
    reap_all()
    code = os.waitstatus_to_exitcode(result)
    code = code if code >= 0 else 128 - code
    group = "/sys/fs/cgroup"
    kills = counted((f"{group}/memory/memory.oom_control", b"oom_kill"), (f"{group}/memory.events", b"oom_kill"))
    refused = counted((f"{group}/pids/pids.events", b"max"), (f"{group}/pids.events", b"max"))
    with suppress(OSError):
        control.sendall(json.dumps({"ended": code, "kills": kills, "refused": refused}).encode() + b"\n")
    return code


def in_container(path: str) -> None:
    """Get the plan from the harness and carry it out."""
    control_process(4, 0)  # not dumpable: the job, which has the same user, may not look into this process
    control = socket.socket(socket.AF_UNIX)
    control.connect(path)
    with control.makefile("r") as file:
        plan = json.loads(file.readline())
    for name in ("HOSTNAME", "TERM", "container"):  # what engines add
        os.environ.pop(name, None)
    if "PATH" in plan["environment"]:
        del os.environ["PATH"]
    os.environ.update(plan["environment"])
    if plan["filter"]:
        filter_calls(bytes.fromhex(plan["filter"]))
    ports = prepare(plan, elsewhere=False, status=control.fileno())
    control.sendall(json.dumps({"ready": True, "ports": ports}).encode() + b"\n")
    code = be_first(plan["command"], control)
    os._exit(code)


def main() -> None:
    if not sys.argv[1].isdigit():
        in_container(sys.argv[1])
    with os.fdopen(int(sys.argv[1])) as file:
        plan = json.load(file)
    harness, status = plan["harness"], plan["status"]
    os.set_inheritable(status, False)
    if harness is not None:
        control_process(36, 1)  # before the forwarder, which is to become a child of this process
    ports = prepare(plan, elsewhere=harness is not None, status=status)

    def tell() -> None:
        with suppress(BrokenPipeError):  # the harness is gone: `mind` sees that too, and takes the forwarder along
            os.write(status, json.dumps({"ready": True, "ports": ports}).encode() + b"\n")
        os.close(status)

    if harness is None:
        tell()
        become(plan["command"])
    else:
        sys.exit(mind(plan["command"], harness, tell))


if __name__ == "__main__":
    main()
