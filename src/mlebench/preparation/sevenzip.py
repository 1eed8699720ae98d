"""7z archives, by the package py7zr (the extra `7z`)."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

from mlebench.errors import ArchiveError, MLEBenchError
from mlebench.ground.extras import require
from mlebench.ground.files import DISK_FULL
from mlebench.preparation.inventory import Inventory, one_line, relative_path, shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONG_AGO = 315_532_800.0
"""The first second of 1980, as `pack` has it."""


def extract_7z(archive: Path, target: Path) -> None:
    """Unpack a 7z archive below `target`.

    Raises ArchiveError if it is damaged, holds what is no plain file, or has members that would leave the folder, are
    there already, or are more or larger than an archive of its size should have; of that, everything but damage inside
    members is found before the first byte is written.
    """
    py7zr = _library()
    if not archive.is_file():
        raise ArchiveError(f"The raw data lack the archive {archive.name}.")
    try:
        with py7zr.SevenZipFile(archive) as file:
            if file.needs_password():
                raise ArchiveError(f"The archive {archive.name} is encrypted; unpack it yourself, with the password.")
            sizes = _checked_members(file, archive, target)
            target.mkdir(parents=True, exist_ok=True)
            file.extractall(target)
    except MLEBenchError:
        raise
    except Exception as error:  # py7zr raises whatever a damaged header leads it to
        if isinstance(error, OSError) and error.errno in DISK_FULL:
            raise
        raise ArchiveError(f"The archive {archive.name} is damaged: {one_line(error)}.") from error
    for path, size in sizes.items():
        found = path.lstat().st_size if path.is_file() and not path.is_symlink() else None
        if found != size:
            raise ArchiveError(f"The archive {archive.name} is damaged: {shown(path.name)} is not as large as it says.")
        path.chmod(0o644)  # it has the mode that the archive tells


def pack_7z(archive: Path, members: Mapping[str, bytes | Path], *, compress: bool = True) -> None:
    """Write a 7z archive of members by name, each given by its bytes or its file; all bear the same old time.

    Without `compress` they are stored as they are, which suits photos: compressing them takes long for nothing.
    """
    py7zr = _library()
    archive.parent.mkdir(parents=True, exist_ok=True)
    filters = None if compress else [{"id": py7zr.FILTER_COPY}]
    with py7zr.SevenZipFile(archive, "x", filters=filters) as file:
        for name in sorted(members):
            content = members[name]
            if isinstance(content, bytes):
                file.writef(io.BytesIO(content), name)
            else:
                file.write(content, name)
        for entry in file.header.files_info.files:
            entry["lastwritetime"] = py7zr.helpers.ArchiveTimestamp.from_datetime(LONG_AGO)


def _checked_members(file: Any, archive: Path, target: Path) -> dict[Path, int]:
    """Return the sizes of the files in an archive by where they will be, after a look at all members."""
    inventory = Inventory(archive)
    sizes = {}
    for member in file.list():
        name = member.filename
        if member.is_directory:
            relative_path(name, archive)
            continue
        if not member.is_file:
            kind = "a link" if member.is_symlink else "something that is no file"
            raise ArchiveError(f"The archive {archive.name} holds {kind}, {shown(name)}.")
        path = target / inventory.add(name, member.uncompressed)
        if os.path.lexists(path):
            raise ArchiveError(f"The archive {archive.name} holds {shown(name)}, and a file of that name is there.")
        sizes[path] = member.uncompressed
    return sizes


def _library() -> Any:
    require("7z")
    import py7zr

    return py7zr
