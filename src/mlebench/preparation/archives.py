"""Zip archives of raw data, which may be hostile: they are checked before they are unpacked."""

from __future__ import annotations

import errno
import io
import shutil
import stat
import struct
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import ArchiveError
from mlebench.ground.neutral import mark_neutral, shuffled
from mlebench.preparation.inventory import Inventory, describe_error, quote_name, relative_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError)
DAMAGED_DIRECTORY = (*DAMAGE, ValueError, OverflowError, struct.error, IndexError)
NAME_ERRORS = (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EINVAL, errno.EILSEQ)
"""Error numbers for names that cannot be a file's."""
METHODS = {zipfile.ZIP_STORED: 1, zipfile.ZIP_DEFLATED: 1032}
"""The compression methods that are read, with their maximum ratio. Kaggle uses no others, and others unpack a few bytes
to gigabytes in one step."""
LOCAL_HEADER = 30
"""Bytes of the local header of a member, up to its name."""
SPECIAL = {
    stat.S_IFLNK: "a link",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}
CHUNK = 1024 * 1024


def extract(
    archive: Path, target: Path, want: Callable[[str], str | None] | None = None, expect: int | None = None
) -> int:
    """Unpack a zip archive.

    The directory of the archive is checked before the first byte is written. Members are written in random order, so
    that their metadata say nothing. Damage inside a member is found when it is read; then those written before are
    complete, and no part of it is left. A killed process may leave a part of a member, so unpack into a temporary
    folder.

    Parameters
    ----------
    archive
        The archive.
    target
        Folder to unpack to; it is made.
    want
        Called with each member's name; returns its path below `target`, or None to leave it out.
    expect
        The number of files that must be wanted.

    Returns
    -------
    int
        The number of files.

    Raises
    ------
    ArchiveError
        The archive is missing or damaged, a member is a link or would leave the folder, or another number of files is
        wanted than expected.
    """
    with opened(archive) as file:
        members = checked_members(file, archive, want)
        check_count(archive, len(members), expect)
        for member, path in shuffled(members):
            write_member(file, member, target / path, target)
    return len(members)


def checked_members(
    file: zipfile.ZipFile, archive: Path, want: Callable[[str], str | None] | None = None
) -> list[tuple[zipfile.ZipInfo, str]]:
    """Return the members that are files, in the archive's order, each with its path below the folder to unpack to.

    Parameters
    ----------
    file
        The open archive.
    archive
        Its path, for messages.
    want
        As in `extract`.

    Raises
    ------
    ArchiveError
        By the directory of the archive, a member cannot be unpacked safely: its name, kind, size or place is wrong.
    """
    _check_layout(file, archive)
    inventory = Inventory(archive)
    members = []
    for member in file.infolist():
        if is_folder(member):
            continue
        name = member.filename if want is None else want(member.filename)
        if name is None:
            continue
        path = inventory.add(name, member.file_size)
        check_member(member, archive)
        members.append((member, path))
    return members


def is_folder(member: zipfile.ZipInfo) -> bool:
    """Whether a member is a folder; `ZipInfo.is_dir` fails for a member without a name."""
    return member.filename.endswith("/")


def check_member(member: zipfile.ZipInfo, archive: Path) -> None:
    """Raise ArchiveError for a member that is not a regular file, cannot be read, or has an impossible size."""
    name = quote_name(member.filename)
    kind = SPECIAL.get(stat.S_IFMT(member.external_attr >> 16))
    if kind is not None:
        raise ArchiveError(f"The archive {archive.name} holds {kind}, {name}.")
    if member.flag_bits & 1:
        raise ArchiveError(f"The archive {archive.name} holds {name} encrypted; unpack it yourself.")
    if member.compress_type not in METHODS:
        raise ArchiveError(
            f"The archive {archive.name} holds {name} compressed by method {member.compress_type}; only deflate is "
            "supported, so pack its files again."
        )
    if member.file_size > METHODS[member.compress_type] * member.compress_size:
        raise ArchiveError(f"The archive {archive.name} is damaged: the size of {name} cannot be right.")


def write_member(file: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path, start: Path) -> None:
    """Write one member to a new file, completely or not at all. Call it inside `opened`, for a checked member.

    Checksum and size are compared. Folders are made; existing files are never overwritten. The file is marked as
    neutral, so call this for several members in random order.

    Parameters
    ----------
    file, member
        The archive and its member.
    path
        The new file, below `start`.
    start
        The folder in which all files of the archive begin, before they move to their own: file systems such as ext4
        choose an inode number by the folder, which may be named after a class.
    """
    begun = start / f".{member.header_offset}-{member.CRC:08x}.part"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _require_free(path)
        try:
            with file.open(member) as source, begun.open("wb", buffering=0) as copy:
                shutil.copyfileobj(source, copy, CHUNK)
                if copy.tell() != member.file_size:
                    raise zipfile.BadZipFile(f"{quote_name(member.filename)} is shorter than it should be")
            mark_neutral(begun)
            begun.rename(path)
        except BaseException:
            begun.unlink(missing_ok=True)
            raise
    except OSError as error:
        if error.errno not in NAME_ERRORS:
            raise
        raise zipfile.BadZipFile(f"{quote_name(member.filename)} cannot be a file's name ({error.strerror})") from error


def _require_free(path: Path) -> None:
    """Raise FileExistsError if there is something at a path."""
    try:
        path.lstat()
    except FileNotFoundError:
        return
    raise FileExistsError(errno.EEXIST, "File exists", str(path))


def check_count(archive: Path, count: int, expect: int | None) -> None:
    """Raise ArchiveError if an archive holds another number of files than expected."""
    if expect is not None and count != expect:
        raise ArchiveError(f"The archive {archive.name} holds {count} of the {expect} files that the tables name.")


def member_names(archive: Path) -> list[str]:
    """Return the names of the files in a zip archive, in its order."""
    with opened(archive) as file:
        return [member.filename for member in file.infolist() if not is_folder(member)]


def read_member(archive: Path, name: str) -> io.BytesIO:
    """Return the content of one member of a zip archive as a file in memory; ArchiveError if there is none."""
    with opened(archive) as file:
        try:
            member = file.getinfo(name)
        except KeyError:
            raise ArchiveError(f"The archive {archive.name} has no member {name!r}.") from None
        check_member(member, archive)
        Inventory(archive).count(member.file_size)
        content = io.BytesIO()
        with file.open(member) as source:
            shutil.copyfileobj(source, content, CHUNK)
    if content.tell() != member.file_size:
        raise ArchiveError(f"The archive {archive.name} is damaged: {name!r} is shorter than it should be.")
    content.seek(0)
    return content


@contextmanager
def opened(archive: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive; all errors of reading it become ArchiveError."""
    try:
        with _directory_read(archive) as file:
            yield file
    except FileNotFoundError:
        raise ArchiveError(f"The raw data lack the archive {archive.name}.") from None
    except FileExistsError as error:
        name = quote_name(Path(str(error.filename)).name)
        raise ArchiveError(
            f"The archive {archive.name} holds {name}, but a file of that name exists already."
        ) from None
    except DAMAGE as error:
        raise ArchiveError(f"The archive {archive.name} is damaged: {describe_error(error)}.") from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a seek before the beginning of the file
            raise
        raise ArchiveError(
            f"The archive {archive.name} is damaged: its directory names positions outside of the file."
        ) from error


def inside(target: Path, name: str, archive: Path) -> Path:
    """Return the path of a member below `target`; ArchiveError if it would be elsewhere."""
    return target / relative_path(name, archive)


def _directory_read(archive: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(archive)
    except DAMAGED_DIRECTORY as error:
        raise zipfile.BadZipFile(describe_error(error)) from error


def _check_layout(file: zipfile.ZipFile, archive: Path) -> None:
    """Raise ArchiveError unless the data of the members follow one another before the directory.

    Members that share data unpack to more than any compression ratio allows. In an archive that lost a part of its
    middle, data are at impossible positions.
    """
    end = 0
    for member in sorted(file.infolist(), key=lambda member: member.header_offset):
        if member.volume:
            raise ArchiveError(f"The archive {archive.name} is one of several parts; join them first.")
        if member.header_offset < end:
            what = "shares its bytes with another member" if end else "begins before the archive does"
            raise ArchiveError(f"The archive {archive.name} is damaged: {quote_name(member.filename)} {what}.")
        end = member.header_offset + LOCAL_HEADER + member.compress_size
    if end > file.start_dir:
        raise ArchiveError(f"The archive {archive.name} is damaged: its directory lists more data than it has.")
