"""The index of public files and of the members of archives: arrays, so that millions of files fit in memory."""

from __future__ import annotations

import os
import tarfile
import zipfile
from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mlebench.ground.extras import missing, require

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    Array = np.ndarray[Any, np.dtype[Any]]

MAX_READ = 64_000_000
"""Bytes of the largest file that is read as a whole; only the ends of larger ones are read."""
TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
INSIDE = "!"
"""Stands between an archive and its member in a path."""


class Facts(NamedTuple):
    """What can be seen of each file from outside: arrays of shape (n_files,)."""

    size: Array
    mtime: Array
    ctime: Array
    inode: Array
    place: Array
    """Place in the listing of its folder, or in its archive."""


class FileIndex:
    """All regular files below a folder, and the members of zip, tar and 7z archives among them.

    A file is named by its number. Folders and archives are containers.

    Parameters
    ----------
    root : Path
        The folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.names: list[str] = []
        self.containers: list[str] = []
        """Paths of folders and archives below the root; those of archives end with `!`."""
        self._container_of = array("i")
        self._facts = [array("q") for _ in Facts._fields]
        archives = list(self._walk(root, ""))
        for path in archives:
            self._add_members(path)
        self.container_of = np.frombuffer(self._container_of, dtype=np.int32) if self.names else np.zeros(0, np.int32)
        columns = (np.frombuffer(each, dtype=np.int64) if self.names else np.zeros(0, np.int64) for each in self._facts)
        self.facts = Facts(*columns)

    def __len__(self) -> int:
        return len(self.names)

    def path(self, number: int) -> str:
        """Return the path of a file below the root; a member of an archive is `ARCHIVE!MEMBER`."""
        return self.container(number) + self.names[number]

    def container(self, number: int) -> str:
        """Return the path of the folder or archive of a file."""
        return self.containers[int(self.container_of[number])]

    def stem(self, number: int) -> str:
        """Return the name of a file without folders and suffixes."""
        return self.names[number].rpartition("/")[2].partition(".")[0]

    def suffix(self, number: int) -> str:
        """Return the last suffix of a file in lower case, such as `.png`."""
        name = self.names[number]
        return name[dot:].lower() if (dot := name.rfind(".")) > name.rfind("/") + 1 else ""

    def is_member(self, number: int) -> bool:
        """Return whether a file is a member of an archive."""
        return self.container(number).endswith(INSIDE)

    def read(self, number: int) -> bytes:
        """Return the bytes of a file, or of its two ends if it is very large."""
        return next(content for _, content in self.read_all([number]))

    def read_all(self, numbers: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """Yield files with their bytes, container by container; files that cannot be read are left out."""
        chosen = np.fromiter(numbers, dtype=np.int64)
        if not len(chosen):
            return
        order = chosen[np.argsort(self.container_of[chosen], kind="stable")]
        starts = np.flatnonzero(np.diff(self.container_of[order], prepend=-1))
        for first, last in zip(starts, [*starts[1:], len(order)], strict=True):
            group = order[first:last].tolist()
            container = self.containers[self.container_of[group[0]]]
            if container.endswith(INSIDE):
                yield from self._read_members(self.root / container.removesuffix(INSIDE), group)
                continue
            for number in group:
                try:
                    yield number, _read_file(f"{self.root}/{container}{self.names[number]}", self.facts.size[number])
                except OSError:
                    continue

    def _walk(self, folder: Path, prefix: str) -> Iterator[str]:
        """Index the files of a folder in the order in which the file system lists them; yield the archives."""
        waiting = [(str(folder), prefix)]
        while waiting:
            where, prefix = waiting.pop()
            container = self._container(prefix)
            with os.scandir(where) as entries:
                for place, entry in enumerate(entries):
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, f"{prefix}{entry.name}/"))
                    elif entry.is_file(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        times = (status.st_mtime_ns, status.st_ctime_ns)
                        self._add(container, entry.name, (status.st_size, *times, status.st_ino, place))
                        if entry.name.lower().endswith((".zip", ".7z", *TAR_SUFFIXES)):
                            yield prefix + entry.name

    def _add_members(self, archive: str) -> None:
        container, path = self._container(archive + INSIDE), self.root / archive
        try:
            for place, (name, size, mtime) in enumerate(_members(path)):
                self._add(container, name, (size, mtime, 0, 0, place))
        except (OSError, zipfile.BadZipFile, tarfile.TarError, EOFError):
            return  # not the archive that its name promises

    def _add(self, container: int, name: str, facts: tuple[int, ...]) -> None:
        self.names.append(name)
        self._container_of.append(container)
        for column, fact in zip(self._facts, facts, strict=True):
            column.append(fact)

    def _container(self, name: str) -> int:
        self.containers.append(name)
        return len(self.containers) - 1

    def _read_members(self, path: Path, numbers: list[int]) -> Iterator[tuple[int, bytes]]:
        wanted = {self.names[number]: number for number in numbers}
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for name, number in wanted.items():
                    with archive.open(name) as member:
                        yield number, member.read(MAX_READ)
        elif path.suffix == ".7z":
            yield from ((wanted[name], content) for name, content in _read_7z(path, wanted))
        else:
            with tarfile.open(path) as unpacked:
                for entry in unpacked:
                    if entry.name in wanted and (content := unpacked.extractfile(entry)) is not None:
                        yield wanted[entry.name], content.read(MAX_READ)


def _members(path: Path) -> Iterator[tuple[str, int, int]]:
    """Yield name, size and time of each regular member of an archive, in the order of the archive."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    year, month, day, hour, minute, second = info.date_time
                    moment = ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 60 + second
                    yield info.filename, info.file_size, moment
    elif path.suffix == ".7z":
        if missing(["7z"]):
            return
        require("7z")
        import py7zr

        with py7zr.SevenZipFile(path) as packed:
            for member in packed.list():
                if not member.is_directory:
                    yield member.filename, int(member.uncompressed), 0
    else:
        with tarfile.open(path) as unpacked:
            for entry in unpacked:
                if entry.isfile():
                    yield entry.name, entry.size, int(entry.mtime)
                unpacked.members = []  # type: ignore[attr-defined]  # or the list of members fills the memory


def _read_7z(path: Path, wanted: dict[str, int]) -> Iterator[tuple[str, bytes]]:
    require("7z")
    import py7zr
    from py7zr.io import BytesIOFactory

    factory = BytesIOFactory(MAX_READ)
    with py7zr.SevenZipFile(path) as packed:
        packed.extract(targets=list(wanted), factory=factory)
    for name, content in factory.products.items():
        yield name, content.read()


def _read_file(path: str, size: int) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if size <= MAX_READ:
            return os.read(descriptor, max(1, int(size)))
        half = MAX_READ // 2
        return os.pread(descriptor, half, 0) + os.pread(descriptor, half, int(size) - half)
    finally:
        os.close(descriptor)
