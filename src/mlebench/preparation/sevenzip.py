"""7z archives, by the package py7zr (the extra `7z`)."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

from mlebench.errors import ArchiveError, MLEBenchError
from mlebench.ground.extras import require
from mlebench.ground.files import DISK_FULL
from mlebench.preparation.inventory import Inventory, describe_error, quote_name, relative_path

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONG_AGO = 315_532_800.0
"""The beginning of 1980, as in the archives of `pack`."""


def extract_7z(archive: Path, target: Path) -> None:
    """Unpack a 7z archive. All checks but those of the members' content come before the first byte is written.

    Parameters
    ----------
    archive
        The archive.
    target
        Folder to unpack to; it is made.

    Raises
    ------
    ArchiveError
        The archive is missing, damaged or encrypted; or members are not regular files, would leave the folder, exist
        already, or are more or larger than in an archive of its size.
    MissingExtraError
        The extra `7z` is not installed.
    """
    py7zr = _library()
    if not archive.is_file():
        raise ArchiveError(f"The raw data lack the archive {archive.name}.")
    try:
        with py7zr.SevenZipFile(archive) as file:
            if file.needs_password():
                raise ArchiveError(f"The archive {archive.name} is encrypted; unpack it yourself.")
            sizes = _checked_members(file, archive, target)
            target.mkdir(parents=True, exist_ok=True)
            file.extractall(target)
    except MLEBenchError:
        raise
    except Exception as error:  # py7zr raises errors of many kinds for a damaged header
        if isinstance(error, OSError) and error.errno in DISK_FULL:
            raise
        raise ArchiveError(f"The archive {archive.name} is damaged: {describe_error(error)}.") from error
    for path, size in sizes.items():
        found = path.lstat().st_size if path.is_file() and not path.is_symlink() else None
        if found != size:
            raise ArchiveError(
                f"The archive {archive.name} is damaged: {quote_name(path.name)} has another size than listed."
            )
        path.chmod(0o644)  # the archive sets a mode


def pack_7z(archive: Path, members: Mapping[str, bytes | Path], *, compress: bool = True) -> None:
    """Write a 7z archive, whose bytes depend on its members alone.

    Parameters
    ----------
    archive
        The new archive, whose folder is made.
    members
        Name and content of each member; the content is bytes or a file.
    compress
        Whether members are compressed; photos gain nothing by it.
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
    """Check all members, and return the size of each file by its future path."""
    inventory = Inventory(archive)
    sizes = {}
    for member in file.list():
        name = member.filename
        if member.is_directory:
            relative_path(name, archive)
            continue
        if not member.is_file:
            kind = "a link" if member.is_symlink else "something that is not a file"
            raise ArchiveError(f"The archive {archive.name} holds {kind}, {quote_name(name)}.")
        path = target / inventory.add(name, member.uncompressed)
        if os.path.lexists(path):
            raise ArchiveError(
                f"The archive {archive.name} holds {quote_name(name)}, but a file of that name exists already."
            )
        sizes[path] = member.uncompressed
    return sizes


def _library() -> Any:
    require("7z")
    import py7zr

    return py7zr
