"""7z archives, by the package py7zr (the extra `7z`)."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, Any

from mlebench.errors import ArchiveError, MissingExtraError
from mlebench.preparation.archives import inside

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONG_AGO = 315_532_800.0
"""The first second of 1980, as `pack` has it."""


def extract_7z(archive: Path, target: Path) -> None:
    """Unpack a 7z archive below `target`; ArchiveError if it is damaged or has members that would leave it."""
    py7zr = _library()
    if not archive.is_file():
        raise ArchiveError(f"The raw data lack the archive {archive.name}.")
    try:
        with py7zr.SevenZipFile(archive) as file:
            for member in file.list():
                inside(target, member.filename, archive)
                if getattr(member, "is_symlink", False):
                    raise ArchiveError(f"The archive {archive.name} holds a link, {member.filename!r}.")
            target.mkdir(parents=True, exist_ok=True)
            file.extractall(target)
    except (py7zr.exceptions.ArchiveError, EOFError, OSError, ValueError, struct.error) as error:
        raise ArchiveError(f"The archive {archive.name} is damaged: {error or type(error).__name__}.") from error


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


def _library() -> Any:
    try:
        import py7zr
    except ImportError:
        raise MissingExtraError("py7zr", "7z") from None
    return py7zr
