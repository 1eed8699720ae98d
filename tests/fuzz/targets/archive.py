"""Archives of raw data: zip, tar (plain, gzip, bzip2) and 7z."""

from __future__ import annotations

import shutil
import zipfile
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mlebench.data.progress import LogProgress
from mlebench.data.unpacking import lacking_members, unpack, unpacked_size
from mlebench.errors import ArchiveError, DiskFullError
from mlebench.preparation.archives import member_names, read_member
from mlebench.preparation.sevenzip import extract_7z
from mlebench.preparation.tars import retar, tar_member_names

from ..target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MAX_UNPACKED = 64 * 2**20
"""An input has some kilobytes, and deflate a ratio of 1032 at most."""


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    def take(content: bytes) -> None:
        place = folder / "outer" / "inner"
        place.mkdir(parents=True)
        try:
            archive = folder / "archive.bin"
            archive.write_bytes(content)
            read(archive, place)
            check_outside(folder)
        finally:
            shutil.rmtree(folder / "outer")

    yield take


def read(archive: Path, place: Path) -> None:
    """Read an archive by the reader for its kind, as its first bytes tell."""
    magic = archive.read_bytes()[:6]
    if magic.startswith(b"PK"):
        read_zip(archive, place / "raw")
    elif magic.startswith(b"7z"):
        with suppress(ArchiveError, DiskFullError):
            extract_7z(archive, place / "raw")
    else:
        with suppress(ArchiveError, DiskFullError):
            names = tar_member_names(archive)
            retar(archive, {place / "new.tar": {name: f"{number}" for number, name in enumerate(names[:3])}})


def read_zip(archive: Path, raw: Path) -> None:
    """Unpack a zip archive; what it unpacks must be what Python's library reads."""
    with suppress(ArchiveError):
        unpacked_size(archive)
    try:
        unpack(archive, raw, LogProgress())
    except (ArchiveError, DiskFullError):
        return
    assert lacking_members(archive, raw) == []
    with zipfile.ZipFile(archive) as file:
        for name in member_names(archive):
            content = file.read(file.getinfo(name))
            assert read_member(archive, name).read() == content
            parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
            assert raw.joinpath(*parts).read_bytes() == content


def check_outside(folder: Path) -> None:
    """Check that nothing was written outside of the folder to unpack to, and no links, devices or large files in it."""
    assert {path.name for path in folder.iterdir()} == {"archive.bin", "outer"}
    assert {path.name for path in (folder / "outer").iterdir()} == {"inner"}
    inner = {path.name for path in (folder / "outer" / "inner").iterdir()}
    assert inner <= {"raw", "raw.partial", "raw.partial.journal", "new.tar"}, inner
    size = 0
    for path in (folder / "outer").rglob("*"):
        assert not path.is_symlink() and (path.is_file() or path.is_dir()), path
        size += path.lstat().st_size if path.is_file() else 0
    assert size < MAX_UNPACKED, size


TARGET = Target(
    opened,
    words=(b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"../", b"/etc/", b"..\\", b"C:",
           b"ustar\x0000", b"ustar  \0", b"path=", b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b\x08", b"BZh9", b"\xff\xff\xff\xff",
           b"\x75\x70", b"\0\0\xed\xa1", b"\x01\x00"),
    max_bytes=8192,
    libraries=("zipfile", "tarfile", "py7zr"),
)  # fmt: skip
