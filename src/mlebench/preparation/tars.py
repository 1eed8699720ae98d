"""Tar archives, copied from one to others without unpacking them to disk."""

from __future__ import annotations

import bz2
import gzip
import tarfile
import zlib
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Self, cast

from mlebench.errors import ArchiveError
from mlebench.preparation.archives import check_count
from mlebench.preparation.inventory import Inventory, describe_error, quote_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LONG_AGO = 315_532_800
"""The beginning of 1980, as in the archives of `pack`."""
DAMAGE = (tarfile.TarError, zlib.error, EOFError, ValueError, OverflowError, RecursionError)
DESCRIBING = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)
MAX_DESCRIPTION = 1024 * 1024
"""Maximum bytes of a name or other header in front of a member; they are read into memory."""
MAX_END = 64 * 1024 * 1024
"""Maximum bytes of zeros after the last member; writers fill a record, which may have some megabytes."""
CHUNK = 1024 * 1024


def retar(source: Path, wanted: Mapping[Path, Mapping[str, str]]) -> None:
    """Copy members of a tar archive to new ones, in a single pass.

    Members keep their order. The new archives are not compressed, and have no owners and times.

    Parameters
    ----------
    source
        A tar archive, which may be compressed by gzip or bzip2.
    wanted
        For each new archive, the names of its members: from the name in the source to the new one.

    Raises
    ------
    ArchiveError
        The source is missing or damaged, or a wanted member is missing, repeated or not a file.
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
                raise ArchiveError(f"The archive {source.name} holds {quote_name(member.name)}, which is not a file.")
            if member.name in found:
                raise ArchiveError(f"The archive {source.name} holds {quote_name(member.name)} twice.")
            found.add(member.name)
            path, name = places[member.name]
            copy = tarfile.TarInfo(name)
            copy.size, copy.mtime, copy.mode = member.size, LONG_AGO, 0o644
            targets[path].addfile(copy, archive.extractfile(member))
            targets[path].members.clear()  # type: ignore[attr-defined]
    check_count(source, len(found), len(places))


def tar_member_names(archive: Path) -> list[str]:
    """Return the names of the files in a tar archive, in its order; it may be compressed."""
    with _opened(archive) as file:
        return [member.name for member in _members(file, archive) if member.isreg()]


class _Member(tarfile.TarInfo):
    """A member that is parsed strictly: a damaged header is an error, where `tarfile` would see the end."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile_)
        except (tarfile.EOFHeaderError, tarfile.SubsequentHeaderError):  # type: ignore[attr-defined]
            raise  # a block of zeros: the end
        except tarfile.EmptyHeaderError:  # type: ignore[attr-defined]
            raise tarfile.ReadError("it ends without the blocks that mark its end, so a part is missing") from None
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from None

    def _proc_member(self, tarfile_: tarfile.TarFile) -> Self:  # tarfile lets subclasses override this
        if self.type in DESCRIBING and self.size > MAX_DESCRIPTION:
            raise tarfile.ReadError("the name of a member has no end")
        return cast("Self", super()._proc_member(tarfile_))  # type: ignore[misc]


@contextmanager
def _opened(archive: Path) -> Iterator[tarfile.TarFile]:
    """Open a tar archive for reading from beginning to end; damage, or a missing end, is an ArchiveError."""
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
        raise ArchiveError(f"The archive {archive.name} is damaged: {describe_error(error)}.") from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise ArchiveError(
            f"The archive {archive.name} is damaged: {describe_error(error)}."
        ) from error  # of bz2 and gzip


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
        archive.members.clear()  # type: ignore[attr-defined]  # else it keeps all earlier ones in memory
        inventory.count(member.size)
        yield member


def _check_end(content: IO[bytes]) -> None:
    """Read the zeros after the last member, and thereby the checksum at the end of a compressed archive."""
    length = 0
    while chunk := content.read(CHUNK):
        length += len(chunk)
        if length > MAX_END or chunk.count(0) != len(chunk):
            raise tarfile.ReadError("its end holds data that are not a member")
