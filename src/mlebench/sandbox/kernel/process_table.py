"""The processes of this machine as /proc shows them: list, measure, signal."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
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


def read_process(pid: int) -> Process | None:
    """Return one process, or None if it has ended."""
    try:
        with Path(f"/proc/{pid}/stat").open("rb") as file:
            # The fields from the third one on, as proc_pid_stat(5) numbers them: the second may hold any character.
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    state, parent, threads, started, resident_pages = (fields[number - 3] for number in (3, 4, 20, 22, 24))
    if state in b"ZX":  # zombie or dead
        return None
    return Process(pid, int(parent), int(started), int(threads), int(resident_pages) * _PAGE_BYTES)


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


def read_proportional_memory(pid: int) -> int:
    """Return the proportional set size of a process in bytes: shared pages are divided by the number of sharers."""
    with suppress(OSError), Path(f"/proc/{pid}/smaps_rollup").open("rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


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
