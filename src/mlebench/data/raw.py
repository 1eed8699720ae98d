"""Find raw data: embedded, synthetic, from the user, in the data directory, or at Kaggle."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.data.download import archive_path, download_archive
from mlebench.data.manifest import Source, has_files
from mlebench.data.unpacking import lacking_members, remove_partial, unpack
from mlebench.errors import RawDataError
from mlebench.ground.loading import LazyFunction
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.data.download import Downloader
    from mlebench.data.options import PrepareOptions
    from mlebench.data.progress import Progress
    from mlebench.tasks.competition import Competition

REHEARSAL_ARCHIVE = "rehearsal.zip"
TABLES = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".txt")
"""Suffixes of files that cannot be an archive of raw data."""
USER_PREFIX = ".given-"
"""Prefix of folders that an archive of the user is unpacked to."""


@dataclass(frozen=True)
class RawData:
    """A folder of raw data, and where they come from."""

    folder: Path
    source: Source
    archive: Path | None = None
    """The archive that it was unpacked from, if there is one."""
    is_users: bool = False
    """Whether the folder belongs to the user, so it is never removed."""

    @property
    def is_real(self) -> bool:
        """Whether these are, or may be, the data that Kaggle provides."""
        return self.source in (Source.KAGGLE, Source.UNVERIFIED)


def find_raw(
    competition: Competition, options: PrepareOptions, scratch: Path, client: Downloader | None, progress: Progress
) -> RawData:
    """Return a folder of raw data; they are downloaded and unpacked if necessary.

    Parameters
    ----------
    competition
        The competition to prepare.
    options
        `raw` and `rehearsal` select the data.
    scratch
        Folder for data that are not kept.
    client
        Downloads the archive; by default a `KaggleClient`.
    progress
        Receives the steps of downloading and unpacking.

    Raises
    ------
    RawDataError
        There are no raw data.
    ArchiveError
        An archive is damaged or unsafe.
    """
    unpacked = scratch / "raw"
    if options.rehearsal:
        from mlebench.preparation.archives import extract

        extract(_rehearsal_archive(competition), unpacked)
        return RawData(unpacked, Source.REHEARSAL)
    if options.raw is not None:
        return _from_user(competition, options.raw, progress)
    if competition.declaration is not None and competition.declaration.raw and competition.folder is not None:
        unpacked.mkdir()
        LazyFunction(competition.folder / "task.py", competition.declaration.raw)(unpacked)
        return RawData(unpacked, Source.EMBEDDED)
    return _from_data_directory(competition, client, progress)


def remove_user_archives(home: Path) -> None:
    """Remove what was unpacked from archives of the user in a competition's folder."""
    for path in home.glob(f"{USER_PREFIX}*"):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def rehearsal_digest(competition: Competition) -> str | None:
    """Return the sha256 of a competition's rehearsal archive, or None if it has none."""
    archive = _rehearsal_path(competition)
    return hashlib.sha256(archive.read_bytes()).hexdigest() if archive.is_file() else None


def _rehearsal_archive(competition: Competition) -> Path:
    archive = _rehearsal_path(competition)
    if not archive.is_file():
        raise RawDataError(
            f"{competition.label} has no rehearsal data"
            + ("; it needs none, since its data are embedded." if competition.is_embedded else ".")
        )
    return archive


def _rehearsal_path(competition: Competition) -> Path:
    return (competition.folder or competition.leaderboard.parent) / REHEARSAL_ARCHIVE


def _from_user(competition: Competition, raw: Path, progress: Progress) -> RawData:
    from mlebench.preparation.counts import REHEARSAL_FILE

    if raw.is_file() and raw.suffix.lower() in TABLES:
        raise RawDataError(f"The file {raw} is not an archive; pass the folder that contains it, or a Kaggle zip.")
    if raw.is_file():
        folder = _user_folder(competition, raw)
        if not folder.is_dir():
            unpack(raw, folder, progress)
    elif has_files(raw):
        folder = raw.resolve()
    else:
        raise RawDataError(f"There are no raw data at {raw}; pass a Kaggle zip or the folder it unpacks to.")
    source = Source.REHEARSAL if (folder / REHEARSAL_FILE).exists() else Source.UNVERIFIED
    return RawData(folder, source, raw if raw.is_file() else None, is_users=not raw.is_file())


def _user_folder(competition: Competition, archive: Path) -> Path:
    """Return the folder that an archive of the user is unpacked to; it depends on path, size and time."""
    status = archive.stat()
    identity = f"{archive.resolve()} {status.st_size} {status.st_mtime_ns}"
    digest = hashlib.sha256(identity.encode()).hexdigest()[:12]
    return competition.raw_dir.parent / f"{USER_PREFIX}{digest}"


def _from_data_directory(competition: Competition, client: Downloader | None, progress: Progress) -> RawData:
    archive, folder = archive_path(competition), competition.raw_dir
    if has_files(folder):
        if not archive.is_file():
            return RawData(folder, Source.KAGGLE)
        lacking = lacking_members(archive, folder)
        if lacking:
            files = count(lacking, "file")
            progress.message(f"{folder} lacks {files} of {archive.name}, such as {lacking[0]!r}; unpacking the rest.")
            remove_partial(folder)  # raw/ has more files than an interrupted unpacking beside it
            unpack(archive, folder, progress)
        return RawData(folder, Source.KAGGLE, archive)
    if folder.is_dir():
        folder.rmdir()
    if not archive.is_file():
        download_archive(competition.id, archive, client, progress)
    unpack(archive, folder, progress)
    return RawData(folder, Source.KAGGLE, archive)
