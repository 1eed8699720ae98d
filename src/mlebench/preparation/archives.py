"""Zip archives of raw data: taken for hostile, unpacked only into their own folder, and found damaged in time."""

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
from mlebench.preparation.inventory import Inventory, one_line, relative_path, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError)
DAMAGED_DIRECTORY = (*DAMAGE, ValueError, OverflowError, struct.error, IndexError)
UNFIT_NAME = (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EINVAL, errno.EILSEQ)
"""What systems answer to names that they cannot give to a file."""
METHODS = {zipfile.ZIP_STORED: 1, zipfile.ZIP_DEFLATED: 1032}
"""The ways of compressing that are read, with how many times smaller they make data at most. Kaggle uses no others, and
those unpack a few bytes to gigabytes in one step."""
LOCAL_HEADER = 30
"""Bytes of a member's local header before its name."""
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
    """Unpack a zip archive below `target`; returns how many files there were.

    `want` is called with each member's name and returns the path below `target` to unpack it to, or None to
    leave it out. Raises ArchiveError for a damaged archive, for members that are links or that would leave the
    folder, and unless there are as many files as one expects. All that the archive's directory tells is looked at
    before the first byte is written; damage inside a member shows when it is read, and then the members before it are
    there, but no part of it. What a killed process leaves may hold a part, so unpack where nobody looks until it is
    done; `mlebench.data.unpacking` keeps a journal of whole members and goes on behind them.
    """
    with opened(archive) as file:
        members = checked_members(file, archive, want)
        check_count(archive, len(members), expect)
        for member, path in members:
            write_member(file, member, target / path)
    return len(members)


def checked_members(
    file: zipfile.ZipFile, archive: Path, want: Callable[[str], str | None] | None = None
) -> list[tuple[zipfile.ZipInfo, str]]:
    """Return the members that are files, each with its path below the folder to unpack to, in the archive's order.

    `want` is that of `extract`. Raises ArchiveError unless all of them can be unpacked safely, as far as the directory
    of the archive tells: names, kinds, sizes, and where the data lie.
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
    """Say whether a member is a folder; zipfile's own way of asking fails for a member without a name."""
    return member.filename.endswith("/")


def check_member(member: zipfile.ZipInfo, archive: Path) -> None:
    """Raise ArchiveError for a member that is no plain file, cannot be read, or lies about its size."""
    name = shown(member.filename)
    kind = SPECIAL.get(stat.S_IFMT(member.external_attr >> 16))
    if kind is not None:
        raise ArchiveError(f"The archive {archive.name} holds {kind}, {name}.")
    if member.flag_bits & 1:
        raise ArchiveError(f"The archive {archive.name} holds {name} encrypted; unpack it yourself, with the password.")
    if member.compress_type not in METHODS:
        raise ArchiveError(
            f"The archive {archive.name} holds {name} compressed in a way that is not read here "
            f"(method {member.compress_type}); pack its files again, deflated."
        )
    if member.file_size > METHODS[member.compress_type] * member.compress_size:
        raise ArchiveError(f"The archive {archive.name} is damaged: the size of {name} cannot be right.")


def write_member(file: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
    """Write one member to a new file, whole or not at all; call it inside `opened`, for a member that was checked.

    Its checksum and size are compared while it is read. Folders are made; a file that is there is never overwritten.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with file.open(member) as source, path.open("xb", buffering=0) as copy:
            try:
                shutil.copyfileobj(source, copy, CHUNK)
                if copy.tell() != member.file_size:
                    raise zipfile.BadZipFile(f"{shown(member.filename)} is shorter than it should be")
            except BaseException:
                path.unlink(missing_ok=True)
                raise
    except OSError as error:
        if error.errno not in UNFIT_NAME:
            raise
        raise zipfile.BadZipFile(f"no file can be named {shown(member.filename)} ({error.strerror})") from error


def check_count(archive: Path, count: int, expect: int | None) -> None:
    """Raise ArchiveError if an archive holds another number of wanted files than one expects."""
    if expect is not None and count != expect:
        raise ArchiveError(f"The archive {archive.name} holds {count} of the {expect} files that the tables name.")


def member_names(archive: Path) -> list[str]:
    """Return the names of a zip archive's files, in its own order."""
    with opened(archive) as file:
        return [member.filename for member in file.infolist() if not is_folder(member)]


def read_member(archive: Path, name: str) -> io.BytesIO:
    """Return the content of one member of a zip archive, ready to be read as a file."""
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
    """Open a zip archive; whatever is wrong with it becomes an ArchiveError."""
    try:
        with _directory_read(archive) as file:
            yield file
    except FileNotFoundError:
        raise ArchiveError(f"The raw data lack the archive {archive.name}.") from None
    except FileExistsError as error:
        name = shown(Path(str(error.filename)).name)
        raise ArchiveError(f"The archive {archive.name} holds {name}, and a file of that name is there.") from None
    except DAMAGE as error:
        raise ArchiveError(f"The archive {archive.name} is damaged: {one_line(error)}.") from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # to seek to a place before the file's beginning
            raise
        raise ArchiveError(f"The archive {archive.name} is damaged: its directory names places outside.") from error


def inside(target: Path, name: str, archive: Path) -> Path:
    """Return the path below `target` for a member's name; ArchiveError if it would lie elsewhere."""
    return target / relative_path(name, archive)


def _directory_read(archive: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(archive)
    except DAMAGED_DIRECTORY as error:
        raise zipfile.BadZipFile(one_line(error)) from error


def _check_layout(file: zipfile.ZipFile, archive: Path) -> None:
    """Raise ArchiveError unless the members' data lie one after another before the directory.

    Members that share data are a way of unpacking to a multiple of what any compression gives, and an archive that
    lost a part of its middle has them in places where they cannot be.
    """
    end = 0
    for member in sorted(file.infolist(), key=lambda member: member.header_offset):
        if member.volume:
            raise ArchiveError(f"The archive {archive.name} is one of several parts; join them before.")
        if member.header_offset < end:
            what = "shares its bytes with another member" if end else "begins before the archive does"
            raise ArchiveError(f"The archive {archive.name} is damaged: {shown(member.filename)} {what}.")
        end = member.header_offset + LOCAL_HEADER + member.compress_size
    if end > file.start_dir:
        raise ArchiveError(f"The archive {archive.name} is damaged: its directory says more than there are bytes.")
