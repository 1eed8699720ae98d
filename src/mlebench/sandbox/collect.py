"""Taking in what a job left behind. Everything there is hostile: links, devices, endless files, odd names.

Files are copied, not moved or linked: a hard link would share its bytes with a file that belongs to the
sandbox's user, and a move would keep its owner and mode. Where the file system can, the copy shares blocks
anyway (copy_file_range), so it costs little.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.sandbox.home import force_open

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mlebench.sandbox.base import EventSink

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SOURCE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_TARGET = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 16 * 1024**2
_DEPTH = 64
_LONGEST = 1024
"""Bytes of a path below the folder: each name may be allowed, and the whole longer than a path may be."""
_TOLD = 100
"""Refusals that are told one by one; what comes after is only counted."""


@dataclass(slots=True)
class Collected:
    """What was taken in."""

    files: int = 0
    bytes: int = 0
    refused: int = 0
    complete: bool = True
    """False if a bound on bytes or files was met."""


def collect(source: Path, target: Path, *, max_bytes: int, max_files: int, events: EventSink) -> Collected:
    """Copy the regular files below `source` into `target`; refuse everything else and say so.

    Nothing outside of `source` is ever read, even if it changes meanwhile. Folders count as files do, so that
    a million empty ones are refused. A target file that exists already stays, and the new one is refused.
    """
    collector = _Collector(max_bytes, max_files, events)
    target.mkdir(parents=True, exist_ok=True)
    try:
        start = force_open(source, _FOLDER)
    except OSError as error:
        collector.refuse(b".", _reason(error))
        return collector.collected
    with _closing(start), _closing(os.open(target, _FOLDER)) as into:
        collector.walk(start, into, b"", 0)
    return collector.collected


class _Collector:
    def __init__(self, max_bytes: int, max_files: int, events: EventSink) -> None:
        self.collected = Collected()
        self._max_bytes = max_bytes
        self._max_files = max_files
        self._events = events

    def refuse(self, path: bytes, why: str) -> None:
        self.collected.refused += 1
        if self.collected.refused <= _TOLD:
            # Names need not be text: what is not comes out escaped.
            self._events("refused", path=path.decode("utf-8", "backslashreplace"), why=why)

    def walk(self, source: int, target: int, path: bytes, depth: int) -> None:
        """Copy one open folder into another, entry by entry and always relative to the open one."""
        with os.scandir(source) as entries:
            for entry in entries:
                name = os.fsencode(entry.name)
                below = path + b"/" + name if path else name
                seen = self.collected.files + self.collected.refused
                if seen >= self._max_files:
                    self.collected.complete = False
                    self.refuse(below, f"more than {self._max_files} files; the rest was not looked at")
                    return
                if len(below) > _LONGEST:
                    self.refuse(below[:_LONGEST], f"its path is longer than {_LONGEST} bytes")
                    continue
                try:
                    if entry.is_dir(follow_symlinks=False):
                        self._take_folder(name, source, target, below, depth)
                    else:
                        self._take_file(name, source, target, below)
                except OSError as error:
                    self.refuse(below, _reason(error))
                if not self.collected.complete and self.collected.files >= self._max_files:
                    return

    def _take_folder(self, name: bytes, source: int, target: int, path: bytes, depth: int) -> None:
        if depth >= _DEPTH:
            self.refuse(path, f"nested deeper than {_DEPTH} folders")
            return
        with _closing(force_open(name, _FOLDER, source)) as inner:
            self.collected.files += 1
            with suppress(FileExistsError):
                os.mkdir(name, 0o755, dir_fd=target)
            with _closing(os.open(name, _FOLDER, dir_fd=target)) as into:
                self.walk(inner, into, path, depth + 1)

    def _take_file(self, name: bytes, source: int, target: int, path: bytes) -> None:
        # Look before opening: to open a device can have effects. Then look at what was really opened.
        if why := _objection(os.stat(name, dir_fd=source, follow_symlinks=False)):
            self.refuse(path, why)
            return
        with _closing(force_open(name, _SOURCE, source)) as inner:
            facts = os.fstat(inner)
            if why := _objection(facts):
                self.refuse(path, why)
            elif self.collected.bytes + facts.st_size > self._max_bytes:
                self.collected.complete = False
                self.refuse(path, f"{facts.st_size} bytes go beyond the {self._max_bytes} that are collected")
            else:
                with _closing(os.open(name, _TARGET, 0o644, dir_fd=target)) as into:
                    self.collected.files += 1
                    self.collected.bytes += _copy(inner, into, facts.st_size)


def _objection(facts: os.stat_result) -> str | None:
    """Say why a file is not collected."""
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFBLK: "a device",
        stat.S_IFCHR: "a device",
        stat.S_IFDIR: "a folder that was something else before",
    }
    if not stat.S_ISREG(facts.st_mode):
        return kinds.get(stat.S_IFMT(facts.st_mode), "not a regular file")
    return f"a hard link, one of {facts.st_nlink}" if facts.st_nlink != 1 else None


def _copy(source: int, target: int, size: int) -> int:
    """Copy up to `size` bytes, which is what was accounted for, however much the file has grown since."""
    left = size
    in_kernel = True
    while left:
        if in_kernel:
            try:
                done = os.copy_file_range(source, target, min(left, _CHUNK))
            except OSError as error:
                if error.errno not in (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
                    raise
                in_kernel = False
                continue
        else:
            done = os.write(target, os.read(source, min(left, _CHUNK)))
        if not done:
            break
        left -= done
    return size - left


def _reason(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "a symbolic link"
    return (error.strerror or "it cannot be read").lower()


@contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)
