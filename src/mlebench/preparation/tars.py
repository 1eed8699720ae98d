"""Tar archives, read through and streamed from one into others without unpacking them to disk."""

from __future__ import annotations

import gzip
import tarfile
import zlib
from contextlib import ExitStack
from typing import TYPE_CHECKING

from mlebench.errors import ArchiveError
from mlebench.preparation.archives import check_count

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONG_AGO = 315_532_800
"""The first second of 1980, as `pack` has it."""


def retar(source: Path, wanted: Mapping[Path, Mapping[str, str]]) -> None:
    """Write tar archives, uncompressed, of some members of another one, which may be compressed, in a single pass.

    For each archive a mapping tells which members go there, and their names in it. Members keep their order, and have
    neither owners nor times. Raises ArchiveError unless all are there, once, and files.
    """
    places = {name: (target, new_name) for target, names in wanted.items() for name, new_name in names.items()}
    if not source.is_file():
        raise ArchiveError(f"The raw data lack the archive {source.name}.")
    count = 0
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(tarfile.open(source, "r|*"))
            targets = {}
            for path in wanted:
                path.parent.mkdir(parents=True, exist_ok=True)
                targets[path] = stack.enter_context(tarfile.open(path, "x"))
            while (member := archive.next()) is not None:
                archive.members.clear()  # type: ignore[attr-defined]  # else it remembers all that have passed
                if member.name not in places:
                    continue
                if not member.isreg():
                    raise ArchiveError(f"The archive {source.name} holds {member.name!r}, which is not a file.")
                path, name = places[member.name]
                copy = tarfile.TarInfo(name)
                copy.size, copy.mtime, copy.mode = member.size, LONG_AGO, 0o644
                targets[path].addfile(copy, archive.extractfile(member))
                targets[path].members.clear()  # type: ignore[attr-defined]
                count += 1
        except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise ArchiveError(f"The archive {source.name} is damaged: {error}.") from error
    check_count(source, count, len(places))


def tar_member_names(archive: Path) -> list[str]:
    """Return the names of a tar archive's files, in its own order; it may be compressed, and is only read through."""
    if not archive.is_file():
        raise ArchiveError(f"The raw data lack the archive {archive.name}.")
    try:
        with tarfile.open(archive, "r|*") as file:
            return [member.name for member in file if member.isreg()]
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ArchiveError(f"The archive {archive.name} is damaged: {error}.") from error
