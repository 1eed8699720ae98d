"""The memory of processes, as /proc shows it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mlebench.sandbox.kernel.comparison import Resource, find_distinct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mlebench.sandbox.kernel.process_table import Process

_STACK_BYTES = 16 * 1024
"""The kernel's stack of a thread, on the usual architectures."""


class ProcessMemory(NamedTuple):
    """Memory of processes, in bytes. Pages that several of them share count once."""

    private: int = 0
    """Anonymous memory."""
    shared: int = 0
    """Mapped pages of files in memory."""
    kernel: int = 0
    """Page tables and the kernel's stacks."""


def measure_memory(processes: Iterable[Process]) -> ProcessMemory:
    """Measure processes exactly, which takes long: the kernel walks through all of their pages."""
    living = list(processes)
    threads = {process.task: process.threads for process in living}
    private = shared = kernel = 0
    # A process started by vfork(2) has the memory of its parent.
    for task in find_distinct(threads, Resource.KCMP_VM):
        found = _read_sizes(f"/proc/{task}/smaps_rollup", b"Pss_Anon:", b"Pss_Shmem:")
        private, shared = private + found[0], shared + found[1]
        kernel += measure_page_tables(task)
    return ProcessMemory(private, shared, kernel + sum(threads.values()) * _STACK_BYTES)


def measure_page_tables(task: int) -> int:
    """Return the bytes of the page tables of a task. They can be large where resident memory is small."""
    return _read_sizes(f"/proc/{task}/status", b"VmPTE:")[0]


def _read_sizes(path: str, *keys: bytes) -> list[int]:
    """Return the sizes, in bytes, behind keys in a file of lines such as `VmPTE:  12 kB`; 0 for those that it lacks."""
    found = dict.fromkeys(keys, 0)
    with suppress(OSError), Path(path).open("rb") as file:
        for line in file:
            key, _, rest = line.partition(b"\t" if b":\t" in line else b" ")
            if key in found:
                found[key] = int(rest.split()[0]) * 1024
    return [found[key] for key in keys]
