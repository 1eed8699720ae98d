"""Write zip archives whose bytes depend on their members alone: sorted by name, without times."""

from __future__ import annotations

import shutil
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from mlebench.errors import ArchiveError
from mlebench.preparation.archives import LOCAL_HEADER, check_count, checked_members, opened
from mlebench.preparation.inventory import quote_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LONG_AGO = (1980, 1, 1, 0, 0, 0)


def pack(archive: Path, members: Mapping[str, bytes | Path]) -> None:
    """Write a zip archive of members by name; the content of each is bytes or a file."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "x", zipfile.ZIP_DEFLATED) as file:
        for name in sorted(members):
            content = members[name]
            if isinstance(content, Path):
                with content.open("rb") as source, file.open(_described(name), "w", force_zip64=True) as copy:
                    shutil.copyfileobj(source, copy, 1024 * 1024)
            else:
                file.writestr(_described(name), content)


@contextmanager
def packing(archive: Path, name: str, level: int | None = None) -> Iterator[IO[bytes]]:
    """Open the only member of a new zip archive for writing.

    Parameters
    ----------
    archive
        The new archive, whose folder is made.
    name
        Name of the member.
    level
        Compression level from 1 (fast) to 9 (small); None to store the member uncompressed.
    """
    archive.parent.mkdir(parents=True, exist_ok=True)
    method = zipfile.ZIP_STORED if level is None else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(archive, "x", method, compresslevel=level) as file:
        with file.open(name, "w", force_zip64=True) as member:  # a member opened by name has no time
            yield member
        file.getinfo(name).external_attr = 0o644 << 16


def repack(
    source: Path,
    archive: Path,
    want: Callable[[str], str | None],
    expect: int | None = None,
    change: Mapping[str, Callable[[bytes], bytes]] | None = None,
) -> int:
    """Write a zip archive of the members of another one.

    Deflated members are copied without decompressing them, so damage inside a member is copied as well. For photos in
    TIFF it takes a fourteenth of the time of compressing them again. Other members are compressed.

    Parameters
    ----------
    source
        A zip archive.
    archive
        The new archive, whose folder is made.
    want
        Called with each member's name; returns its name in the new archive, or None to leave it out.
    expect
        The number of members that must be wanted.
    change
        Functions that change the content of some members, by their names in the new archive. These members are stored
        uncompressed, so that the archive does not depend on the version of a library.

    Returns
    -------
    int
        The number of members.

    Raises
    ------
    ArchiveError
        The source is damaged, another number of members is wanted than expected, or a member to change is not there.
    """
    change = change or {}
    archive.parent.mkdir(parents=True, exist_ok=True)
    with opened(source) as old:
        members = checked_members(old, source, want)
        check_count(source, len(members), expect)
        missing = change.keys() - {name for _, name in members}
        if missing:
            raise ArchiveError(f"The archive {source.name} has no member {quote_name(min(missing))}.")
        with zipfile.ZipFile(archive, "x", zipfile.ZIP_DEFLATED) as new:
            for member, name in sorted(members, key=lambda each: each[1]):
                if name in change:
                    info = _described(name)
                    info.compress_type = zipfile.ZIP_STORED
                    new.writestr(info, change[name](old.read(member)))
                    continue
                if member.compress_type == zipfile.ZIP_DEFLATED:
                    _move(old, member, new, name)
                    continue
                info = _described(name)
                info.file_size = member.file_size
                with old.open(member) as content, new.open(info, "w") as copy:
                    shutil.copyfileobj(content, copy, 1024 * 1024)
    return len(members)


def _described(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, LONG_AGO)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _move(old: zipfile.ZipFile, member: zipfile.ZipInfo, new: zipfile.ZipFile, name: str) -> None:
    """Copy the compressed bytes of a member; `zipfile` cannot, so its directory is extended here."""
    assert old.fp is not None
    assert new.fp is not None
    old.fp.seek(member.header_offset)
    header = old.fp.read(LOCAL_HEADER)
    if len(header) < LOCAL_HEADER or header[:4] != b"PK\3\4":
        raise zipfile.BadZipFile(f"no local header for {member.filename!r}")
    old.fp.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
    content = old.fp.read(member.compress_size)
    if len(content) < member.compress_size:
        raise zipfile.BadZipFile(f"the data of {member.filename!r} are cut off")
    info = _described(name)
    info.CRC, info.compress_size, info.file_size = member.CRC, member.compress_size, member.file_size
    info.header_offset = new.fp.tell()
    new.fp.write(info.FileHeader())
    new.fp.write(content)
    new.start_dir = new.fp.tell()
    new.filelist.append(info)
    new.NameToInfo[name] = info
    new._didModify = True  # type: ignore[attr-defined]
