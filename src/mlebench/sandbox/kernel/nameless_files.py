"""Bytes that processes hold in files without a name: deleted files, and files of memfd_create(2)."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mlebench.sandbox.kernel.process_table import Process

_BLOCK_BYTES = 512
"""Unit of `st_blocks`."""
_FILES_PER_STEP = 256


class _File(NamedTuple):
    """A regular file without a name."""

    device: int
    inode: int
    size: int
    """Bytes on disk or in memory."""


def measure_deleted_files(processes: Iterable[Process], device: int) -> Iterator[int]:
    """Measure the deleted files on a device that processes still have open or mapped.

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
    return _measure(processes, device, b" (deleted)\n")


def measure_memory_files(processes: Iterable[Process]) -> Iterator[int]:
    """Measure the files of memfd_create(2) that processes have open or mapped; yield the bytes found so far."""
    descriptor = os.memfd_create("device")
    device = os.fstat(descriptor).st_dev  # all such files, and shared anonymous memory, are on this device
    os.close(descriptor)
    return _measure(processes, device, b" /memfd:")


def _measure(processes: Iterable[Process], device: int, mapping: bytes) -> Iterator[int]:
    sizes: dict[int, int] = {}
    for process in processes:
        for files in (_open_files(process.pid), _mapped_files(process.pid, mapping)):
            with suppress(OSError):
                for number, file in enumerate(files, start=1):
                    if file and file.device == device:
                        sizes[file.inode] = max(sizes.get(file.inode, 0), file.size)
                    if number % _FILES_PER_STEP == 0:
                        yield sum(sizes.values())
        yield sum(sizes.values())


def _open_files(pid: int) -> Iterator[_File | None]:
    for entry in os.scandir(f"/proc/{pid}/fd"):
        yield _read_file(entry.path)


def _mapped_files(pid: int, mapping: bytes) -> Iterator[_File | None]:
    """Yield the files behind those lines of /proc/PID/maps that contain `mapping`, and None for each other line."""
    with Path(f"/proc/{pid}/maps").open("rb") as file:
        for line in file:
            try:
                yield _read_file(f"/proc/{pid}/map_files/{_address_range(line)}") if mapping in line else None
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
    """Return a file if it is a regular one without a name."""
    try:
        status = os.stat(path)  # noqa: PTH116 - pathlib takes longer than the call
    except FileNotFoundError:
        return None
    if status.st_nlink or not stat.S_ISREG(status.st_mode):
        return None
    return _File(status.st_dev, status.st_ino, status.st_blocks * _BLOCK_BYTES)
