"""Supervise a command without a PID namespace: no process that it starts gets lost, and all end with the harness."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from .command import EXIT_SIGNAL, exec_command, shell_exit_code
from .kernel import Prctl, prctl

if TYPE_CHECKING:
    from collections.abc import Callable


def become_subreaper() -> None:
    """Make orphaned descendants children of this process instead of process 1."""
    prctl(Prctl.PR_SET_CHILD_SUBREAPER, 1)


def supervise(command: list[str], harness: int, report_ready: Callable[[], None]) -> int:
    """Run a command as a child and wait until nothing that it started is left.

    If the harness ends, even by SIGKILL, all of these processes are killed.

    Parameters
    ----------
    command : list of str
        Argument vector.
    harness : int
        Process id of the harness, the parent of this process.
    report_ready : callable
        Called when the command has been started and can be stopped.

    Returns
    -------
    int
        Exit code of the command, as a shell gives it.
    """

    def end_with_harness(*_: object) -> None:
        _kill_descendants()
        os._exit(EXIT_SIGNAL + signal.SIGKILL)

    signal.signal(signal.SIGUSR1, end_with_harness)
    become_subreaper()
    prctl(Prctl.PR_SET_PDEATHSIG, signal.SIGUSR1)
    if os.getppid() != harness:  # it ended before the call, so the signal will not come
        end_with_harness()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        os.setsid()
        prctl(Prctl.PR_SET_PDEATHSIG, signal.SIGKILL)
        exec_command(command)
    report_ready()
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            _kill_descendants()
            return shell_exit_code(status)


def _kill_descendants() -> None:
    """Kill every descendant of this process until none is left."""
    while True:
        for pid in _descendants(os.getpid()):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return


def _descendants(root: int) -> set[int]:
    """Return the ids of all descendants of a process."""
    parent_of = {}
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - importing pathlib would cost 3 ms of each start
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            parent_of[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    found: set[int] = set()
    generation = {root}
    while generation:
        generation = {pid for pid, parent in parent_of.items() if parent in generation} - found
        found |= generation
    return found
