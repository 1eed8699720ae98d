"""Process 1 of a container: gets its config from the harness, runs the command, and ends with the harness."""

from __future__ import annotations

import os
import signal
import socket
import threading
from contextlib import suppress

from .command import EXIT_SIGNAL, exec_command, shell_exit_code
from .config import Config
from .configure import apply_config
from .kernel import Prctl, install_seccomp_filter, prctl
from .protocol import TERMINATE, report_ended, report_ready

_ENGINE_VARIABLES = ("HOSTNAME", "TERM", "container")
"""Set by container engines."""
_CGROUP = "/sys/fs/cgroup"
_KILL_COUNTERS = ((f"{_CGROUP}/memory/memory.oom_control", b"oom_kill"), (f"{_CGROUP}/memory.events", b"oom_kill"))
_REFUSAL_COUNTERS = ((f"{_CGROUP}/pids/pids.events", b"max"), (f"{_CGROUP}/pids.events", b"max"))
"""Files of control groups, version 1 and then version 2, and the key of the number in them."""

_SIGNALS = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}
"""What the job may send to this process."""


def run_in_container(path: str) -> None:
    """Connect to the harness's socket, run the command that it names, and exit with its exit code."""
    prctl(Prctl.PR_SET_DUMPABLE, 0)  # the job has the same user, and may not look into this process
    control = socket.socket(socket.AF_UNIX)
    control.connect(path)
    with control.makefile("r") as file:
        config = Config.decode(file.readline())
    _set_environment(config.environment or {})
    if config.seccomp_filter:
        install_seccomp_filter(bytes.fromhex(config.seccomp_filter))
    ports = apply_config(config, any_port=False, status=control.fileno())
    control.sendall(report_ready(ports))
    os._exit(_supervise(config.command, control))


def _set_environment(variables: dict[str, str]) -> None:
    for name in _ENGINE_VARIABLES:
        os.environ.pop(name, None)
    os.environ.update(variables)


def _supervise(command: list[str], control: socket.socket) -> int:
    """Run the command; return its exit code when no other process is left in the container."""

    def terminate_all(*_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGTERM)

    def listen_to_harness() -> None:
        for line in control.makefile("r"):
            if line.strip() == TERMINATE:
                terminate_all()
        os._exit(EXIT_SIGNAL + signal.SIGKILL)  # the harness is gone; the kernel kills the other processes

    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # one that the child ignores for a moment would be lost
    _handle_signals(signal.SIG_IGN)
    child = os.fork()
    if not child:
        _handle_signals(signal.SIG_DFL)  # ignored signals stay ignored after exec
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    if not child:
        os.setsid()
        os.dup2(1, 2)  # the engine has two pipes, which would mix up the order of lines
        exec_command(command)
    signal.signal(signal.SIGTERM, terminate_all)
    threading.Thread(target=listen_to_harness, daemon=True).start()
    pid, status = 0, 0
    while pid != child:
        pid, status = os.waitpid(-1, 0)
    _kill_all()
    code = shell_exit_code(status)
    with suppress(OSError):
        control.sendall(
            report_ended(code, kills=_read_counter(_KILL_COUNTERS), refused=_read_counter(_REFUSAL_COUNTERS))
        )
    return code


def _handle_signals(handler: signal.Handlers) -> None:
    """Set what `_SIGNALS` do.

    The kernel protects process 1 from signals with the default action, but not while glibc starts a thread: it blocks
    them in the thread that starts the other, and the other one takes them.
    """
    for number in _SIGNALS:
        signal.signal(number, handler)


def _kill_all() -> None:
    """Kill all other processes of the container and wait for their ends."""
    while True:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _read_counter(sources: tuple[tuple[str, bytes], ...]) -> int:
    """Return the number in the first of these files that exists, or 0."""
    for path, key in sources:
        with suppress(OSError), open(path, "rb") as file:  # noqa: PTH123 - importing pathlib would cost 3 ms of each start
            for line in file:
                fields = line.split()
                if fields[0] == key:
                    return int(fields[1])
    return 0
