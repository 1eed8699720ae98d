"""Tar archives, read through and streamed from one into others without unpacking them to disk."""

from __future__ import annotations

import bz2
import gzip
import tarfile
import zlib
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Self, cast

from mlebench.errors import ArchiveError
from mlebench.preparation.archives import check_count
from mlebench.preparation.inventory import Inventory, one_line, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LONG_AGO = 315_532_800
"""The first second of 1980, as `pack` has it."""
DAMAGE = (tarfile.TarError, zlib.error, EOFError, ValueError, OverflowError, RecursionError)
DESCRIBING = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)
LONGEST_DESCRIPTION = 1024 * 1024
"""Bytes of names and other facts in front of a member, all of which are read into memory."""
LONGEST_END = 64 * 1024 * 1024
"""Bytes of zeros behind the last member; writers fill a record, which may be of some megabytes."""
CHUNK = 1024 * 1024


def retar(source: Path, wanted: Mapping[Path, Mapping[str, str]]) -> None:
    """Write tar archives, uncompressed, of some members of another one, which may be compressed, in a single pass.

    For each archive a mapping tells which members go there, and their names in it. Members keep their order, and have
    neither owners nor times. Raises ArchiveError unless all are there, once, and files.
    """
    places = {name: (target, new_name) for target, names in wanted.items() for name, new_name in names.items()}
    found: set[str] = set()
    with ExitStack() as stack:
        archive = stack.enter_context(_opened(source))
        targets = {}
        for path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            targets[path] = stack.enter_context(tarfile.open(path, "x"))
        for member in _members(archive, source):
            if member.name not in places:
                continue
            if not member.isreg() or member.issparse():
                raise ArchiveError(f"The archive {source.name} holds {shown(member.name)}, which is not a file.")
            if member.name in found:
                raise ArchiveError(f"The archive {source.name} holds {shown(member.name)} twice.")
            found.add(member.name)
            path, name = places[member.name]
            copy = tarfile.TarInfo(name)
            copy.size, copy.mtime, copy.mode = member.size, LONG_AGO, 0o644
            targets[path].addfile(copy, archive.extractfile(member))
            targets[path].members.clear()  # type: ignore[attr-defined]
    check_count(source, len(found), len(places))


def tar_member_names(archive: Path) -> list[str]:
    """Return the names of a tar archive's files, in its own order; it may be compressed, and is only read through."""
    with _opened(archive) as file:
        return [member.name for member in _members(file, archive) if member.isreg()]


class _Member(tarfile.TarInfo):
    """A member of an archive that is read strictly: a damaged header is an error, where tarfile sees the end."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile_)
        except (tarfile.EOFHeaderError, tarfile.SubsequentHeaderError):  # type: ignore[attr-defined]
            raise  # a block of zeros: the end
        except tarfile.EmptyHeaderError:  # type: ignore[attr-defined]
            raise tarfile.ReadError("it ends without the blocks that mark its end, so some of it is missing") from None
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from None

    def _proc_member(self, tarfile_: tarfile.TarFile) -> Self:  # which tarfile leaves to classes like this one
        if self.type in DESCRIBING and self.size > LONGEST_DESCRIPTION:
            raise tarfile.ReadError("the name of a member has no end")
        return cast("Self", super()._proc_member(tarfile_))  # type: ignore[misc]


@contextmanager
def _opened(archive: Path) -> Iterator[tarfile.TarFile]:
    """Open a tar archive to be read from its beginning to its end, which must be there; damage is an ArchiveError."""
    if not archive.is_file():
        raise ArchiveError(f"The raw data lack the archive {archive.name}.")
    try:
        with (
            _unpacked(archive) as content,
            tarfile.open(fileobj=content, mode="r|", bufsize=CHUNK, tarinfo=_Member) as file,
        ):
            yield file
            _check_end(cast("IO[bytes]", file.fileobj))
    except DAMAGE as error:
        raise ArchiveError(f"The archive {archive.name} is damaged: {one_line(error)}.") from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise ArchiveError(f"The archive {archive.name} is damaged: {one_line(error)}.") from error  # of bz2 and gzip


def _unpacked(archive: Path) -> IO[bytes]:
    """Open a file that may be compressed; tarfile's own streams would not compare checksums."""
    with archive.open("rb") as file:
        magic = file.read(3)
    if magic[:2] == b"\x1f\x8b":
        return cast("IO[bytes]", gzip.open(archive))
    return cast("IO[bytes]", bz2.open(archive)) if magic == b"BZh" else archive.open("rb")


def _members(archive: tarfile.TarFile, path: Path) -> Iterator[tarfile.TarInfo]:
    inventory = Inventory(path)
    while (member := archive.next()) is not None:
        archive.members.clear()  # type: ignore[attr-defined]  # else it remembers all that have passed
        inventory.count(member.size)
        yield member


def _check_end(content: IO[bytes]) -> None:
    """Read what is behind the last member, zeros alone, and so the checksum at the end of a compressed archive."""
    length = 0
    while chunk := content.read(CHUNK):
        length += len(chunk)
        if length > LONGEST_END or chunk.count(0) != len(chunk):
            raise tarfile.ReadError("something that is no member stands at its end")
