"""Tar archives, copied from one to others without unpacking them to disk."""

from __future__ import annotations

import bz2
import gzip
import shutil
import tarfile
import zlib
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Self, cast

from mlebench.errors import ArchiveError
from mlebench.preparation.archives import check_count
from mlebench.preparation.inventory import Inventory, describe_error, quote_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set
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
    """Copy members of a tar archive to new ones.

    Members of the new archives are sorted by name, since the order in the source may follow the classes. They are not
    compressed, and have no owners and times. The source is read twice, first for the sizes of the members.

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
    names = {name for members in wanted.values() for name in members}
    sizes = _find_sizes(source, names)
    with ExitStack() as stack:
        places: dict[str, tuple[IO[bytes], int]] = {}
        for path, members in wanted.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            file: IO[bytes] = stack.enter_context(path.open("xb"))
            for name, position in _write_headers(file, members, sizes).items():
                places[name] = (file, position)
        archive = stack.enter_context(_opened(source))
        for member in _members(archive, source):
            if member.name in places:
                file, position = places[member.name]
                file.seek(position)
                content = archive.extractfile(member)
                assert content is not None
                shutil.copyfileobj(content, file, CHUNK)


def pack_tar(archive: Path, members: Mapping[str, Path]) -> None:
    """Write a tar archive of files by name: sorted, without owners and times; by gzip if its name ends in `.gz`."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(archive.open("xb"))
        if archive.suffix == ".gz":
            file = cast("IO[bytes]", stack.enter_context(gzip.GzipFile("", "wb", 1, file, mtime=0)))
        new = stack.enter_context(tarfile.open(fileobj=file, mode="w"))
        for name in sorted(members):
            header = tarfile.TarInfo(name)
            header.size, header.mtime, header.mode = members[name].stat().st_size, LONG_AGO, 0o644
            with members[name].open("rb") as content:
                new.addfile(header, content)


def _find_sizes(source: Path, names: Set[str]) -> dict[str, int]:
    """Return the size of each of the named members; ArchiveError unless each is there once and a file."""
    sizes: dict[str, int] = {}
    with _opened(source) as archive:
        for member in _members(archive, source):
            if member.name not in names:
                continue
            if not member.isreg() or member.issparse():
                raise ArchiveError(f"The archive {source.name} holds {quote_name(member.name)}, which is not a file.")
            if member.name in sizes:
                raise ArchiveError(f"The archive {source.name} holds {quote_name(member.name)} twice.")
            sizes[member.name] = member.size
    check_count(source, len(sizes), len(names))
    return sizes


def _write_headers(file: IO[bytes], members: Mapping[str, str], sizes: Mapping[str, int]) -> dict[str, int]:
    """Write all of a new archive but the contents of its members; return the position of each by its old name."""
    positions = {}
    end = 0
    for name, new_name in sorted(members.items(), key=lambda item: item[1]):
        header = tarfile.TarInfo(new_name)
        header.size, header.mtime, header.mode = sizes[name], LONG_AGO, 0o644
        file.seek(end)
        file.write(header.tobuf())
        positions[name] = file.tell()
        end = positions[name] + _round_up(header.size, tarfile.BLOCKSIZE)
    file.truncate(_round_up(end + 2 * tarfile.BLOCKSIZE, tarfile.RECORDSIZE))  # the end is two blocks of zeros
    return positions


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit


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
