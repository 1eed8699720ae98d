"""Bytes that processes hold in files without a name: deleted files and folders, and files in memory."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mlebench.sandbox.kernel.comparison import Resource, find_distinct
from mlebench.sandbox.kernel.process_table import list_tasks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mlebench.sandbox.kernel.process_table import Process

_BLOCK_BYTES = 512
"""Unit of `st_blocks`."""
_FILES_PER_STEP = 256
_FREE_PIPES = 1024
_PIPE_BYTES = 8192


class _File(NamedTuple):
    """A file or folder without a name."""

    device: int
    inode: int
    size: int
    """Bytes on disk or in memory."""
    is_pipe: bool = False


def measure_deleted_files(processes: Iterable[Process], device: int) -> Iterator[int]:
    """Measure the deleted files and folders on a device that processes still use: open, mapped, or run as a program.

    The measurement is incremental, since a job can have millions of files open: the caller may pause between two
    values.

    Parameters
    ----------
    processes : iterable of Process
        The processes to look at.
    device : int
        `st_dev` of the file system.

    Yields
    ------
    int
        Bytes found so far.
    """
    return _measure(processes, device, (b" (deleted)\n",), counts_pipes=False)


def measure_memory_files(processes: Iterable[Process]) -> Iterator[int]:
    """Measure the files in memory that processes have open or mapped; yield the bytes found so far.

    These are files of memfd_create(2) and, for root, shared anonymous memory: it stays in memory when a process has
    dropped its pages or unmapped a part of it. Pipes beyond the number that programs need count as full: the kernel
    bounds the size of the first ones for each user, and has room for two pages in each further one.
    """
    descriptor = os.memfd_create("device")
    device = os.fstat(descriptor).st_dev
    os.close(descriptor)
    is_root = os.geteuid() == 0  # others see the size of a mapping only, which may be far from full
    mappings = (b" /memfd:", b" /dev/zero (deleted)\n") if is_root else (b" /memfd:",)
    return _measure(processes, device, mappings, counts_pipes=True)


def _measure(
    processes: Iterable[Process], device: int, mappings: tuple[bytes, ...], *, counts_pipes: bool
) -> Iterator[int]:
    sizes: dict[int, int] = {}
    pipes: set[tuple[int, int]] = set()

    def found() -> int:
        uncounted = max(0, len(pipes) - _FREE_PIPES) if counts_pipes else 0
        return sum(sizes.values()) + uncounted * _PIPE_BYTES

    for process in processes:
        # Threads may have tables of open files and working folders of their own.
        tasks = list_tasks(process.pid)
        tables = find_distinct(tasks, Resource.KCMP_FILES)
        for files in (_own_files(tasks), *map(_open_files, tables), _mapped_files(process.task, mappings)):
            with suppress(OSError):
                for number, file in enumerate(files, start=1):
                    if file and file.is_pipe:
                        pipes.add((file.device, file.inode))
                    elif file and file.device == device:
                        sizes[file.inode] = max(sizes.get(file.inode, 0), file.size)
                    if number % _FILES_PER_STEP == 0:
                        yield found()
        yield found()


def _own_files(tasks: Iterable[int]) -> Iterator[_File | None]:
    """Yield the nameless programs and working folders of tasks, and None for each that has a name."""
    for task in tasks:
        for name in ("exe", "cwd"):
            with suppress(OSError):
                yield _read_file(f"/proc/{task}/{name}")


def _open_files(task: int) -> Iterator[_File | None]:
    """Yield the nameless files that a task has open, and None for each other one."""
    for entry in os.scandir(f"/proc/{task}/fd"):
        yield _read_file(entry.path)


def _mapped_files(task: int, mappings: tuple[bytes, ...]) -> Iterator[_File | None]:
    """Yield the files behind the lines of /proc/TASK/maps that contain one of `mappings`, and None for each other."""
    with Path(f"/proc/{task}/maps").open("rb") as file:
        for line in file:
            try:
                is_wanted = any(mapping in line for mapping in mappings)
                yield _read_file(f"/proc/{task}/map_files/{_address_range(line)}") if is_wanted else None
            except PermissionError:  # only root may follow these links
                yield _parse_mapping(line)


def _parse_mapping(line: bytes) -> _File:
    """Return what a line of /proc/PID/maps tells of a file: it is at least as large as the mapped part."""
    addresses, _, offset, device, inode = line.split(maxsplit=5)[:5]
    start, end = (int(address, 16) for address in addresses.split(b"-"))
    major, minor = (int(number, 16) for number in device.split(b":"))
    return _File(os.makedev(major, minor), int(inode), int(offset, 16) + end - start)


def _address_range(line: bytes) -> str:
    """Return the address range of a line of /proc/PID/maps as `map_files` spells it: without leading zeros."""
    return "-".join(f"{int(address, 16):x}" for address in line.split(maxsplit=1)[0].split(b"-"))


def _read_file(path: str) -> _File | None:
    """Return a file if it is a pipe or has no name."""
    try:
        status = os.stat(path)  # noqa: PTH116 - pathlib takes longer than the call
    except FileNotFoundError:
        return None
    is_pipe = stat.S_ISFIFO(status.st_mode)
    if status.st_nlink and not is_pipe:
        return None
    return _File(status.st_dev, status.st_ino, status.st_blocks * _BLOCK_BYTES, is_pipe)
