"""Processes of a job as the harness sees them: finding, measuring, signalling, and telling strays."""

from __future__ import annotations

import os
import pwd
import random
import secrets
import signal
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MARKER = "MLEBENCH_JOB"
"""Environment variable by which strays are found where no kernel namespace holds them together."""

_USERS = range(30_000, 60_000)
"""Where user numbers for jobs come from: below 65536, beyond which a container may have none."""
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PROC = Path("/proc")


class Process(NamedTuple):
    """One line of the process table."""

    pid: int
    parent: int
    started: int
    """In clock ticks after boot; tells apart two processes that got the same number."""
    threads: int
    resident: int
    """Bytes of memory, shared pages included."""


def look(pid: int) -> Process | None:
    """Return one process, or None if it has ended."""
    try:
        with Path(f"/proc/{pid}/stat").open("rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    if fields[0] in b"ZX":
        return None
    return Process(pid, int(fields[1]), int(fields[19]), int(fields[17]), int(fields[21]) * _PAGE)


def table() -> list[Process]:
    """Return all living processes of this machine."""
    pids = (int(entry.name) for entry in os.scandir(_PROC) if entry.name.isdigit())
    return [process for pid in pids if (process := look(pid))]


def descendants(root: int) -> list[Process]:
    """Return all living processes below this one."""
    by_parent: dict[int, list[Process]] = {}
    for process in table():
        by_parent.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    level = [root]
    while level:
        below = [process for pid in level for process in by_parent.get(pid, ())]
        found += below
        level = [process.pid for process in below]
    return found


def proportional_memory(pid: int) -> int:
    """Return the bytes that a process adds to the machine's use, its share of shared pages included."""
    with suppress(OSError), Path(f"/proc/{pid}/smaps_rollup").open("rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def unlinked_bytes(processes: Iterable[Process], device: int) -> Iterator[int]:
    """Yield the bytes on a device found so far that processes keep in files without a name, open or mapped.

    A caller may take its time between two numbers: a job can have millions of files open.
    """
    return _held_bytes(processes, device, b" (deleted)\n")


def nameless_memory(processes: Iterable[Process]) -> Iterator[int]:
    """Yield the bytes found so far that processes keep in files of memfd_create, open or mapped."""
    descriptor = os.memfd_create("device")
    device = os.fstat(descriptor).st_dev  # one for all of them, and for what is shared without any file
    os.close(descriptor)
    return _held_bytes(processes, device, b" /memfd:")


def _held_bytes(processes: Iterable[Process], device: int, mark: bytes) -> Iterator[int]:
    sizes: dict[int, int] = {}
    for process in processes:
        for look in (_open_files(process.pid), _mapped_files(process.pid, mark)):
            with suppress(OSError):
                for number, file in enumerate(look, start=1):
                    if file and file[0] == device:
                        sizes[file[1]] = max(sizes.get(file[1], 0), file[2])
                    if number % 256 == 0:
                        yield sum(sizes.values())
        yield sum(sizes.values())


_File = tuple[int, int, int]
"""A regular file without a name: its device, its number there, and its bytes."""


def _open_files(pid: int) -> Iterator[_File | None]:
    for entry in os.scandir(f"/proc/{pid}/fd"):
        yield _nameless_file(entry.path)


def _mapped_files(pid: int, mark: bytes) -> Iterator[_File | None]:
    with Path(f"/proc/{pid}/maps").open("rb") as file:
        for line in file:
            try:
                yield _nameless_file(f"/proc/{pid}/map_files/{_short(line)}") if mark in line else None
            except PermissionError:  # the kernel shows the file itself only to who may do more than a plain user
                yield _mapped_file(line)


def _mapped_file(line: bytes) -> _File:
    """Return what is known of a mapped file from the line alone: it is no smaller than the part that is mapped."""
    addresses, _, offset, device, inode = line.split(maxsplit=5)[:5]
    first, last = (int(address, 16) for address in addresses.split(b"-"))
    major, minor = (int(number, 16) for number in device.split(b":"))
    return os.makedev(major, minor), int(inode), int(offset, 16) + last - first


def _short(line: bytes) -> str:
    """Return a range of addresses as `map_files` spells it: without leading zeros."""
    return "-".join(f"{int(address, 16):x}" for address in line.split(maxsplit=1)[0].split(b"-"))


def _nameless_file(path: str) -> _File | None:
    try:
        facts = os.stat(path)  # noqa: PTH116 - pathlib takes longer than the call
    except FileNotFoundError:
        return None
    if facts.st_nlink or not stat.S_ISREG(facts.st_mode):
        return None
    return facts.st_dev, facts.st_ino, facts.st_blocks * 512


def send(process: Process, number: int) -> bool:
    """Send a signal to this very process, not to one that took over its number; tell whether it was there."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:
        return False
    try:
        now = look(process.pid)
        if now is None or now.started != process.started:
            return False
        signal.pidfd_send_signal(descriptor, number)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(descriptor)


def unused_user() -> int:
    """Return a user number that nobody has and no process runs under."""
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    for entry in os.scandir(_PROC):
        with suppress(OSError):
            taken.add(entry.stat().st_uid)
    return random.choice([user for user in _USERS if user not in taken])


def new_token() -> str:
    """Return a fresh token that names a job and the living harness process it belongs to."""
    me = look(os.getpid())
    started = me.started if me else 0
    return f"{_pid_namespace()}-{os.getpid()}-{started}-{secrets.token_hex(6)}"


def is_orphaned(token: str) -> bool:
    """Tell whether a token was made here by a harness process that is gone."""
    try:
        namespace, pid, started = (int(part) for part in token.split("-")[:3])
    except ValueError:
        return False
    if namespace != _pid_namespace():  # a harness in another container: its process numbers mean nothing here
        return False
    owner = look(pid)
    return owner is None or owner.started != started


def marked(token: str | None = None) -> list[tuple[Process, str]]:
    """Return processes that carry a token in their environment: this one, or any."""
    prefix = f"{MARKER}=".encode()
    found = []
    for process in table():
        with suppress(OSError), Path(f"/proc/{process.pid}/environ").open("rb") as file:
            for item in file.read().split(b"\0"):
                value = item.removeprefix(prefix).decode(errors="replace")
                if item.startswith(prefix) and token in (None, value):
                    found.append((process, value))
    return found


def _pid_namespace() -> int:
    return (_PROC / "self/ns/pid").stat().st_ino
