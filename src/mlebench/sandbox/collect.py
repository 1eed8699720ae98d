"""Copies the files that a job left behind. They may be hostile: links, devices, endless files, odd names.

Files are copied, not moved or linked: a hard link would share its bytes with a file that belongs to the sandbox's
user, and a move would keep its owner and mode. Where the file system supports it, the copy shares blocks
(copy_file_range), so it costs little.
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
_CHUNK_BYTES = 16 * 1024**2
_MAX_DEPTH = 64
_MAX_PATH_BYTES = 1024
"""Maximum length of a path below the folder. Names that the kernel allows can form a path that it does not allow."""
_MAX_REFUSED_EVENTS = 100
"""Further refusals are counted without an event."""


@dataclass(slots=True)
class Collected:
    """What was copied."""

    files: int = 0
    """Files and folders."""
    bytes: int = 0
    refused: int = 0
    """Files and folders that were not copied."""
    complete: bool = True
    """False if the maximum of bytes or files was reached."""


def collect(source: Path, target: Path, *, max_bytes: int, max_files: int, events: EventSink) -> Collected:
    """Copy the regular files below a folder and refuse everything else.

    Nothing outside of `source` is ever read, even if it changes meanwhile. A target file that exists is kept, and the
    new one is refused.

    Parameters
    ----------
    source : Path
        The folder that the job wrote to.
    target : Path
        The folder to copy into. It is created if it does not exist.
    max_bytes, max_files : int
        Maximum of bytes and of files. Folders count as files.
    events : EventSink
        Receives a `refused` event for each of the first refusals.

    Returns
    -------
    Collected
        What was copied and how much was refused.
    """
    collector = _Collector(max_bytes, max_files, events)
    target.mkdir(parents=True, exist_ok=True)
    try:
        start = force_open(source, _FOLDER)
    except OSError as error:
        collector.refuse(b".", _describe(error))
        return collector.collected
    with _closing(start), _closing(os.open(target, _FOLDER)) as destination:
        collector.walk(start, destination, b"", 0)
    return collector.collected


class _Collector:
    def __init__(self, max_bytes: int, max_files: int, events: EventSink) -> None:
        self.collected = Collected()
        self._max_bytes = max_bytes
        self._max_files = max_files
        self._events = events

    def refuse(self, path: bytes, why: str) -> None:
        self.collected.refused += 1
        if self.collected.refused <= _MAX_REFUSED_EVENTS:
            # Names may be bytes that are not text; those are escaped.
            self._events("refused", path=path.decode("utf-8", "backslashreplace"), why=why)

    def walk(self, source: int, target: int, path: bytes, depth: int) -> None:
        """Copy an open folder into another one; every entry is opened relative to it."""
        with os.scandir(source) as entries:
            for entry in entries:
                name = os.fsencode(entry.name)
                below = path + b"/" + name if path else name
                seen = self.collected.files + self.collected.refused
                if seen >= self._max_files:
                    self.collected.complete = False
                    self.refuse(below, f"more than {self._max_files} files; the rest was skipped")
                    return
                if len(below) > _MAX_PATH_BYTES:
                    self.refuse(below[:_MAX_PATH_BYTES], f"its path is longer than {_MAX_PATH_BYTES} bytes")
                    continue
                try:
                    if entry.is_dir(follow_symlinks=False):
                        self._copy_folder(name, source, target, below, depth)
                    else:
                        self._copy_file(name, source, target, below)
                except OSError as error:
                    self.refuse(below, _describe(error))
                if not self.collected.complete and self.collected.files >= self._max_files:
                    return

    def _copy_folder(self, name: bytes, source: int, target: int, path: bytes, depth: int) -> None:
        if depth >= _MAX_DEPTH:
            self.refuse(path, f"nested deeper than {_MAX_DEPTH} folders")
            return
        with _closing(force_open(name, _FOLDER, source)) as inner:
            self.collected.files += 1
            with suppress(FileExistsError):
                os.mkdir(name, 0o755, dir_fd=target)
            with _closing(os.open(name, _FOLDER, dir_fd=target)) as destination:
                self.walk(inner, destination, path, depth + 1)

    def _copy_file(self, name: bytes, source: int, target: int, path: bytes) -> None:
        # Opening a device can have effects, so look first. Then look at what was really opened.
        if why := _find_objection(os.stat(name, dir_fd=source, follow_symlinks=False)):
            self.refuse(path, why)
            return
        with _closing(force_open(name, _SOURCE, source)) as inner:
            status = os.fstat(inner)
            if why := _find_objection(status):
                self.refuse(path, why)
            elif self.collected.bytes + status.st_size > self._max_bytes:
                self.collected.complete = False
                self.refuse(path, f"{status.st_size} bytes exceed the maximum of {self._max_bytes} in total")
            else:
                with _closing(os.open(name, _TARGET, 0o644, dir_fd=target)) as destination:
                    self.collected.files += 1
                    self.collected.bytes += _copy(inner, destination, status.st_size)


def _find_objection(status: os.stat_result) -> str | None:
    """Return why a file is refused, or None."""
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFBLK: "a device",
        stat.S_IFCHR: "a device",
        stat.S_IFDIR: "a folder that was something else a moment ago",
    }
    if not stat.S_ISREG(status.st_mode):
        return kinds.get(stat.S_IFMT(status.st_mode), "not a regular file")
    return f"a hard link, one of {status.st_nlink}" if status.st_nlink != 1 else None


def _copy(source: int, target: int, size: int) -> int:
    """Copy at most `size` bytes, which were counted, even if the file has grown; return the bytes copied."""
    left = size
    in_kernel = True
    while left:
        if in_kernel:
            try:
                done = os.copy_file_range(source, target, min(left, _CHUNK_BYTES))
            except OSError as error:
                if error.errno not in (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
                    raise
                in_kernel = False
                continue
        else:
            done = os.write(target, os.read(source, min(left, _CHUNK_BYTES)))
        if not done:
            break
        left -= done
    return size - left


def _describe(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "a symbolic link"
    return (error.strerror or "it cannot be read").lower()


@contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)
