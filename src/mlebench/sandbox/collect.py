"""Copies the files that a job left behind. They may be hostile: links, devices, endless files, odd names.

Files are copied, not moved or linked: a hard link would share its bytes with a file that belongs to the sandbox's
user, and a move would keep its owner and mode. Where the file system supports it, the copy shares blocks
(copy_file_range), so it costs little.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.ground.files import READ_FLAGS, NotRegularError, UnwritableError, is_machine_failure, kind_of_file
from mlebench.sandbox.home import force_open

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mlebench.sandbox.base import EventSink

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_TARGET = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK_BYTES = 16 * 1024**2
_MAX_DEPTH = 64
_MAX_PATH_BYTES = 1024
"""Maximum length of a path below the folder. Names that the kernel allows can form a path that it does not allow."""
_MAX_REFUSED_EVENTS = 100
"""Further refusals are counted without an event."""
_REFUSED_BY_TARGET = (errno.EEXIST, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.EFBIG, errno.EMLINK)
"""Errors by which a file system refuses a name or a size that the job chose."""


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

    Raises
    ------
    OSError
        This machine failed: the target cannot be written, for instance since its disk is full. What the job left never
        raises.
    """
    collector = _Collector(target, max_bytes, max_files, events)
    target.mkdir(parents=True, exist_ok=True)
    try:
        start = force_open(source, _FOLDER)
    except OSError as error:
        collector.refuse_after(error, b".")
        return collector.collected
    with _closing(start), _closing(os.open(target, _FOLDER)) as destination:
        collector.walk(start, destination)
    return collector.collected


class _Collector:
    """Copies folder by folder, those above first. It never has more than a few files open, however deep they lie."""

    def __init__(self, target: Path, max_bytes: int, max_files: int, events: EventSink) -> None:
        self.collected = Collected()
        self._target = target
        self._max_bytes = max_bytes
        self._max_files = max_files
        self._events = events
        self._waiting: deque[bytes] = deque([b""])
        self._is_full = False

    def refuse(self, path: bytes, why: str) -> None:
        self.collected.refused += 1
        if self.collected.refused <= _MAX_REFUSED_EVENTS:
            # Names may be bytes that are not text; those are escaped.
            self._events("refused", path=path.decode("utf-8", "backslashreplace"), why=why)

    def refuse_after(self, error: OSError, path: bytes) -> None:
        """Refuse a file that the job left in such a way; raise a failure of this machine again."""
        if is_machine_failure(error):
            raise error
        if isinstance(error, NotRegularError):
            why = error.kind
        elif error.errno == errno.ELOOP:
            why = "a symbolic link"
        else:
            why = (error.strerror or "it cannot be read").lower()
        self.refuse(path, why)

    def walk(self, source: int, target: int) -> None:
        """Copy an open folder into another one; every entry is opened relative to its own folder."""
        while self._waiting and not self._is_full:
            path = self._waiting.popleft()
            names = path.split(b"/") if path else []
            try:
                with _closing(_descend(source, names)) as inner:
                    with self._writing():
                        folder = _descend(target, names)
                    with _closing(folder) as destination:
                        self._copy_entries(inner, destination, path)
            except OSError as error:
                self.refuse_after(error, path or b".")

    def _copy_entries(self, source: int, target: int, path: bytes) -> None:
        with os.scandir(source) as entries:
            for entry in entries:
                name = os.fsencode(entry.name)
                below = path + b"/" + name if path else name
                if self.collected.files + self.collected.refused >= self._max_files:
                    self.collected.complete, self._is_full = False, True
                    self.refuse(below, f"more than {self._max_files} files; the rest was skipped")
                    return
                if len(below) > _MAX_PATH_BYTES:
                    self.refuse(below[:_MAX_PATH_BYTES], f"its path is longer than {_MAX_PATH_BYTES} bytes")
                    continue
                try:
                    if entry.is_dir(follow_symlinks=False):
                        self._copy_folder(name, source, target, below)
                    else:
                        self._copy_file(name, source, target, below)
                except OSError as error:
                    self.refuse_after(error, below)

    def _copy_folder(self, name: bytes, source: int, target: int, path: bytes) -> None:
        if path.count(b"/") >= _MAX_DEPTH:
            self.refuse(path, f"nested deeper than {_MAX_DEPTH} folders")
            return
        os.close(force_open(name, _FOLDER, source))
        with self._writing(), suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=target)
        self.collected.files += 1
        self._waiting.append(path)

    def _copy_file(self, name: bytes, source: int, target: int, path: bytes) -> None:
        # Opening a device can have effects, so look first. Then look at what was really opened.
        _require_plain(os.stat(name, dir_fd=source, follow_symlinks=False))
        with _closing(force_open(name, READ_FLAGS, source)) as inner:
            status = os.fstat(inner)
            _require_plain(status)
            if self.collected.bytes + status.st_size > self._max_bytes:
                self.collected.complete = False
                self.refuse(path, f"{status.st_size} bytes exceed the maximum of {self._max_bytes} in total")
                return
            with self._writing():
                outer = os.open(name, _TARGET, 0o644, dir_fd=target)
            try:
                with _closing(outer):
                    self.collected.bytes += self._copy(inner, outer, status.st_size)
            except BaseException:
                with suppress(OSError):
                    os.unlink(name, dir_fd=target)  # a part of a file must not count as the file
                raise
            self.collected.files += 1

    def _copy(self, source: int, target: int, size: int) -> int:
        """Copy at most `size` bytes, which were counted, even if the file has grown; return the bytes copied."""
        left = size
        in_kernel = True
        while left:
            if in_kernel:
                try:
                    done = os.copy_file_range(source, target, min(left, _CHUNK_BYTES))
                except OSError as error:
                    if is_machine_failure(error):
                        raise
                    in_kernel = False
                    continue
            else:
                data = os.read(source, min(left, _CHUNK_BYTES))
                done = len(data)
                with self._writing():
                    while data:
                        data = data[os.write(target, data) :]
            if not done:
                break
            left -= done
        return size - left

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn an error of the target into a failure of this machine, unless it refuses what the job chose."""
        try:
            yield
        except OSError as error:
            if error.errno in _REFUSED_BY_TARGET:
                raise
            raise UnwritableError(error.errno, error.strerror, str(self._target)) from error


def _descend(top: int, names: list[bytes]) -> int:
    """Open a folder below an open one, without following any link."""
    descriptor = os.dup(top)
    for name in names:
        try:
            inner = force_open(name, _FOLDER, descriptor)
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor


def _require_plain(status: os.stat_result) -> None:
    """Raise NotRegularError unless this is a regular file with one name."""
    if not stat.S_ISREG(status.st_mode):
        raise NotRegularError(kind_of_file(status.st_mode))
    if status.st_nlink != 1:
        raise NotRegularError(f"a hard link, one of {status.st_nlink}")


@contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)
