"""Unpack archives of all common formats, for third-party preparers."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
import tarfile
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import ArchiveError
from mlebench.preparation.archives import extract
from mlebench.preparation.inventory import Inventory, describe_error, quote_name
from mlebench.preparation.sevenzip import extract_7z

if TYPE_CHECKING:
    from collections.abc import Iterator

TAR_SUFFIXES = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
DAMAGE = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError)


def unpack_archive(archive: Path, target: Path) -> None:
    """Unpack a zip, 7z or tar archive, or a single file compressed by gzip.

    Parameters
    ----------
    archive
        The archive; its name tells the format.
    target
        Folder to unpack to; it is made.

    Raises
    ------
    ArchiveError
        The archive is damaged, has members that are not regular files or would leave the folder, or is larger unpacked
        than an archive of its size can be.
    """
    name = archive.name.lower()
    if name.endswith(".7z"):
        extract_7z(archive, target)
    elif name.endswith(TAR_SUFFIXES):
        _extract_tar(archive, target)
    elif name.endswith(".gz"):
        _inflate(archive, target)
    else:
        extract(archive, target)


@contextmanager
def merging(folder: Path) -> Iterator[Path]:
    """Yield a new folder, whose files are moved into `folder` at the end and replace those there."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".extracting-") as scratch:
        yield Path(scratch)
        for root, _, names in os.walk(scratch):
            place = folder / Path(root).relative_to(scratch)
            place.mkdir(exist_ok=True)
            for name in names:
                Path(root, name).replace(place / name)


def _extract_tar(archive: Path, target: Path) -> None:
    try:
        with tarfile.open(archive) as file:
            members = [member for member in file.getmembers() if not member.isdir()]
            _check_end(file)
            inventory, paths = Inventory(archive), []
            for member in members:
                if not member.isfile():
                    raise ArchiveError(
                        f"The archive {archive.name} holds {quote_name(member.name)}, which is not a regular file."
                    )
                paths.append(target / inventory.add(member.name, member.size))
            for member, path in zip(members, paths, strict=True):
                path.parent.mkdir(parents=True, exist_ok=True)
                source = file.extractfile(member)
                assert source is not None  # it is a file
                with source, path.open("xb") as out:
                    shutil.copyfileobj(source, out, 1024 * 1024)
    except DAMAGE as error:
        raise ArchiveError(f"The archive {archive.name} is damaged: {describe_error(error)}.") from error


def _check_end(file: tarfile.TarFile) -> None:
    """Raise ReadError unless the archive's members are followed by the block that marks the end."""
    assert file.fileobj is not None
    file.fileobj.seek(file.offset)
    if len(file.fileobj.read(tarfile.BLOCKSIZE)) < tarfile.BLOCKSIZE:
        raise tarfile.ReadError("it ends without the block that marks its end, so a part is missing")


def _inflate(archive: Path, target: Path) -> None:
    left = Inventory(archive).max_bytes
    target.mkdir(parents=True, exist_ok=True)
    try:
        with gzip.open(archive) as source, (target / archive.name[: -len(".gz")]).open("xb") as out:
            while chunk := source.read(1024 * 1024):
                left -= len(chunk)
                if left < 0:
                    raise ArchiveError(f"The archive {archive.name} holds more than an archive of its size can hold.")
                out.write(chunk)
    except DAMAGE as error:
        raise ArchiveError(f"The archive {archive.name} is damaged: {describe_error(error)}.") from error
