"""A partial download: appended to, hashed while it grows, and renamed when it is complete and correct.

TARGET.part        the bytes so far; the process that writes them holds a lock on the file
TARGET.part.json   which remote file they belong to; written before the first byte
TARGET             the complete file, renamed in one step
TARGET.damaged     a complete file whose size or hash is wrong
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import os
import shutil
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from mlebench.errors import ChecksumError, DiskFullError, TransferError
from mlebench.ground.files import DISK_FULL
from mlebench.ground.wording import format_size
from mlebench.kaggle.remote_file import RemoteFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHUNK_BYTES = 1024 * 1024


class PartialPaths(NamedTuple):
    """The files beside the target of a download."""

    part: Path
    description: Path
    """Of the remote file, as JSON."""
    damaged: Path

    @classmethod
    def of(cls, target: Path) -> PartialPaths:
        """Return the paths for a target."""
        part = target.with_name(f"{target.name}.part")
        return cls(part, part.with_name(f"{part.name}.json"), target.with_name(f"{target.name}.damaged"))


class PartialDownload:
    """The bytes of a download so far; open it with `open_partial`."""

    def __init__(self, descriptor: int, target: Path) -> None:
        self._descriptor = descriptor
        self.target = target
        self.paths = PartialPaths.of(target)
        self.remote = RemoteFile.read(self.paths.description)
        self._hash, self._hashed = hashlib.md5(usedforsecurity=False), 0

    @property
    def size(self) -> int:
        """The bytes so far."""
        return os.fstat(self._descriptor).st_size

    @property
    def total(self) -> int | None:
        """The bytes of the complete file, if the server says."""
        return self.remote.size if self.remote else None

    @property
    def is_complete(self) -> bool:
        """Whether all bytes are there; True if the server does not say how many there are."""
        return self.total is None or self.size >= self.total

    def __str__(self) -> str:
        return format_size(self.size) + (f" of {format_size(self.total)}" if self.total is not None else "")

    def restart(self, remote: RemoteFile) -> None:
        """Discard all bytes and begin with another remote file."""
        os.ftruncate(self._descriptor, 0)
        remote.write(self.paths.description)
        self.remote = remote
        self._hash, self._hashed = hashlib.md5(usedforsecurity=False), 0

    def append(self, data: bytes) -> None:
        """Write further bytes; DiskFullError if the disk is full, and the bytes that fit are kept."""
        if self._hashed == self.size:
            self._hash.update(data)
            self._hashed += len(data)
        view, end = memoryview(data), self.size
        try:
            while view:
                written = os.pwrite(self._descriptor, view, end)
                view, end = view[written:], end + written
        except OSError as error:
            self._hash, self._hashed = hashlib.md5(usedforsecurity=False), 0
            if error.errno not in DISK_FULL:
                raise
            raise self._disk_full() from error

    def require_space(self) -> None:
        """Raise DiskFullError unless the remaining bytes fit on the disk."""
        if self._remaining() > self._free():
            raise self._disk_full()

    def finish(self) -> None:
        """Verify the complete file and rename it; a damaged one is set aside with a ChecksumError."""
        problem = self._problem()
        if problem:
            self.paths.part.replace(self.paths.damaged)
            self.paths.description.unlink(missing_ok=True)
            raise ChecksumError(
                f"The download of {self.target.name} is damaged ({problem}) and is kept as {self.paths.damaged}; "
                "run the same command again to download it from the start."
            )
        os.fsync(self._descriptor)
        self.paths.part.replace(self.target)
        self.paths.description.unlink(missing_ok=True)

    def _problem(self) -> str | None:
        remote = self.remote or RemoteFile()
        if remote.size is not None and self.size != remote.size:
            return f"it has {self.size:,} bytes, Kaggle announced {remote.size:,}"
        if remote.md5 is not None:
            found = base64.b64encode(self._md5()).decode()
            if found != remote.md5:
                return f"its md5 is {found}, Kaggle announced {remote.md5}"
        return None if zipfile.is_zipfile(self.paths.part) else f"its {self.size:,} bytes are not a zip file"

    def _md5(self) -> bytes:
        """Return the md5; bytes that an earlier process wrote are read again."""
        if self._hashed != self.size:
            self._hash, self._hashed = hashlib.md5(usedforsecurity=False), 0
            while data := os.pread(self._descriptor, CHUNK_BYTES, self._hashed):
                self._hash.update(data)
                self._hashed += len(data)
        return self._hash.digest()

    def _remaining(self) -> int:
        return 0 if self.total is None else self.total - self.size

    def _free(self) -> int:
        return shutil.disk_usage(self.paths.part.parent).free

    def _disk_full(self) -> DiskFullError:
        needed = format_size(self._remaining()) if self._remaining() else "more"
        return DiskFullError(
            f"The disk of {self.target.parent} has {format_size(self._free())} free and {needed} is needed to download "
            f"{self.target.name}; free some space and run the same command again to resume."
        )


@contextmanager
def open_partial(target: Path) -> Iterator[PartialDownload]:
    """Open the partial download of a target for this process alone; TransferError if another process has it."""
    paths = PartialPaths.of(target)
    descriptor = os.open(paths.part, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = _has_path(descriptor, paths.part)
        except BlockingIOError:
            is_ours = False
        if not is_ours:
            raise TransferError(f"Another process is downloading {target}; wait until it ends.")
        for leftover in target.parent.glob(f".{paths.description.name}.*"):  # of a process killed while writing it
            leftover.unlink()
        try:
            yield PartialDownload(descriptor, target)
        finally:
            if os.fstat(descriptor).st_size == 0 and _has_path(descriptor, paths.part):
                paths.part.unlink()
                paths.description.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _has_path(descriptor: int, path: Path) -> bool:
    """Whether an open file still has this path: another process may have renamed it."""
    return path.exists() and os.path.samestat(os.fstat(descriptor), path.stat())
