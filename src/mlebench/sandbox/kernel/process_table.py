"""The processes of this machine as /proc shows them: list, measure, signal."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import NamedTuple

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PROC = Path("/proc")


class Process(NamedTuple):
    """One row of the process table."""

    pid: int
    parent: int
    """Process id of the parent."""
    started: int
    """Clock ticks after boot. Distinguishes two processes that had the same id."""
    threads: int
    resident: int
    """Resident memory in bytes, including shared pages."""
    task: int
    """Id of a thread that runs: the first one, unless it has ended before others. /proc shows the memory and the open
    files of the process under this id."""


def read_process(pid: int) -> Process | None:
    """Return one process, or None if all of its threads have ended."""
    fields = _read_fields(f"/proc/{pid}/stat")
    if not fields:
        return None
    parent, threads, started, resident_pages = (int(fields[number - 3]) for number in (4, 20, 22, 24))
    if not _has_ended(fields):
        return Process(pid, parent, started, threads, resident_pages * _PAGE_BYTES, pid)
    # The first thread has ended. A process lives on in its other threads, and may hide so what it holds.
    for task in list_tasks(pid) if threads > 1 else ():
        fields = _read_fields(f"/proc/{pid}/task/{task}/stat")
        if fields and not _has_ended(fields):
            return Process(pid, parent, started, threads, int(fields[24 - 3]) * _PAGE_BYTES, task)
    return None


def list_tasks(pid: int) -> list[int]:
    """Return the ids of the threads of a process, the first thread first."""
    try:
        return sorted((int(entry.name) for entry in os.scandir(f"/proc/{pid}/task")), key=lambda task: task != pid)
    except OSError:
        return []


def _read_fields(path: str) -> list[bytes]:
    """Return the fields of a file `stat` from the third on, as proc_pid_stat(5) numbers them; none if it is gone."""
    try:
        with Path(path).open("rb") as file:
            return file.read().rpartition(b")")[2].split()  # the second field may hold any character
    except OSError:
        return []


def _has_ended(fields: list[bytes]) -> bool:
    return fields[0] in b"ZX"  # zombie or dead


def list_processes() -> list[Process]:
    """Return all living processes of this machine."""
    pids = (int(entry.name) for entry in os.scandir(_PROC) if entry.name.isdigit())
    return [process for pid in pids if (process := read_process(pid))]


def list_descendants(root: int) -> list[Process]:
    """Return all living descendants of a process, without the process itself."""
    children: dict[int, list[Process]] = {}
    for process in list_processes():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    generation = [root]
    while generation:
        below = [process for pid in generation for process in children.get(pid, ())]
        found += below
        generation = [process.pid for process in below]
    return found


def send_signal(process: Process, number: int) -> bool:
    """Send a signal to a process, and never to a newer process with the same id.

    Parameters
    ----------
    process : Process
        A row that was read before.
    number : int
        Signal number, such as `signal.SIGKILL`.

    Returns
    -------
    bool
        Whether the process was still there.
    """
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:
        return False
    try:
        current = read_process(process.pid)
        if current is None or current.started != process.started:
            return False
        signal.pidfd_send_signal(descriptor, number)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(descriptor)
