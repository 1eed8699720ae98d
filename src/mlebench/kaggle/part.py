"""A file that is on its way: written piece by piece, hashed on the way, named only when it is whole and right.

TARGET.part        the bytes that are there; this process holds a lock on it
TARGET.part.json   what they are bytes of; written before the first of them
TARGET             the whole, in one step
TARGET.damaged     a whole that was not what the server said
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import os
import shutil
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.errors import ChecksumError, DiskFullError, TransferError
from mlebench.ground.files import DISK_FULL
from mlebench.kaggle.identity import Identity, read_identity, write_identity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHUNK = 1024 * 1024


class Part:
    """The bytes of a download that are there."""

    def __init__(self, descriptor: int, target: Path) -> None:
        self._descriptor = descriptor
        self.target = target
        self.path, self.note, self.damaged = _beside(target)
        self.identity = read_identity(self.note)
        self._hash, self._hashed = hashlib.md5(usedforsecurity=False), 0

    @property
    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing, as far as the server told the size."""
        size = self.identity.size if self.identity else None
        return size is None or self.size >= size

    def begin(self, identity: Identity) -> None:
        """Drop what is there: these will be the bytes of another file."""
        os.ftruncate(self._descriptor, 0)
        write_identity(self.note, identity)
        self.identity = identity
        self._hash, self._hashed = hashlib.md5(usedforsecurity=False), 0

    def append(self, data: bytes) -> None:
        """Write further bytes; DiskFullError where there is no room, and what fits is kept."""
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
            raise self._full() from error

    def require_room(self) -> None:
        """Raise DiskFullError unless what is still to come fits on the disk."""
        if self._lacking() > self._free():
            raise self._full()

    def finish(self) -> None:
        """Check the whole and give it its name; ChecksumError for a wrong one, which is put aside."""
        fault = self._fault()
        if fault:
            self.path.replace(self.damaged)
            self.note.unlink(missing_ok=True)
            raise ChecksumError(
                f"The download of {self.target.name} is damaged, for {fault}; it is kept as {self.damaged}, "
                "and the same command downloads it anew."
            )
        os.fsync(self._descriptor)
        self.path.replace(self.target)
        self.note.unlink(missing_ok=True)

    def _fault(self) -> str | None:
        identity = self.identity or Identity()
        if identity.size is not None and self.size != identity.size:
            return f"it has {self.size:,} bytes where Kaggle tells {identity.size:,}"
        if identity.md5 is not None:
            found = base64.b64encode(self._digest()).decode()
            if found != identity.md5:
                return f"its md5 is {found} where Kaggle tells {identity.md5}"
        return None if zipfile.is_zipfile(self.path) else f"its {self.size:,} bytes are no zip"

    def _digest(self) -> bytes:
        """Return the md5; what another process fetched is read for it."""
        if self._hashed != self.size:
            self._hash, self._hashed = hashlib.md5(usedforsecurity=False), 0
            while data := os.pread(self._descriptor, CHUNK, self._hashed):
                self._hash.update(data)
                self._hashed += len(data)
        return self._hash.digest()

    def _lacking(self) -> int:
        size = self.identity.size if self.identity else None
        return 0 if size is None else size - self.size

    def _free(self) -> int:
        return shutil.disk_usage(self.path.parent).free

    def _full(self) -> DiskFullError:
        from mlebench.ground.wording import format_size

        needed = format_size(self._lacking()) if self._lacking() else "more"
        return DiskFullError(
            f"The disk of {self.target.parent} has {format_size(self._free())} free and {needed} is needed to download "
            f"{self.target.name}; make room or name another folder, then give the same command again: it goes on."
        )


@contextmanager
def held(target: Path) -> Iterator[Part]:
    """Open the part of a target for this process alone; TransferError while another one downloads it."""
    path = _beside(target)[0]
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours = _is_at(descriptor, path)
        except BlockingIOError:
            ours = False
        if not ours:
            raise TransferError(f"Another process is downloading {target}; wait until it is done.")
        note = _beside(target)[1]
        for leftover in note.parent.glob(f".{note.name}.*"):  # of one who was killed while writing it
            leftover.unlink()
        try:
            yield Part(descriptor, target)
        finally:
            if os.fstat(descriptor).st_size == 0 and _is_at(descriptor, path):  # nothing came of it
                path.unlink()
                note.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _is_at(descriptor: int, path: Path) -> bool:
    """Say whether an open file still has this name."""
    return path.exists() and os.path.samestat(os.fstat(descriptor), path.stat())


def _beside(target: Path) -> tuple[Path, Path, Path]:
    part = target.with_name(f"{target.name}.part")
    return part, part.with_name(f"{part.name}.json"), target.with_name(f"{target.name}.damaged")
