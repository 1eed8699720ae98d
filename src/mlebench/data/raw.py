"""Where raw data come from: made here, synthetic, named by the user, lying in the data directory, or from Kaggle."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.data.download import archive_of, fetch
from mlebench.data.manifest import Source, has_files
from mlebench.errors import RawDataError

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.data.download import Downloader
    from mlebench.data.progress import Progress
    from mlebench.tasks.competition import Competition

REHEARSAL_ARCHIVE = "rehearsal.zip"
TABLES = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".txt")
GIVEN = ".given-"
"""Beginning of the name of a folder that an archive of the user's is unpacked to."""


@dataclass(frozen=True)
class RawData:
    """A folder of raw data, and what kind of data it holds."""

    folder: Path
    source: Source
    archive: Path | None = None
    """Kaggle's archive that it was unpacked from, where that is known."""
    stays: bool = False
    """Whether the folder outlives the preparation whatever is asked for: it is the user's."""

    @property
    def is_real(self) -> bool:
        """Whether these are, or may be, the data that Kaggle hands out."""
        return self.source in (Source.KAGGLE, Source.UNVERIFIED)


def find_raw(
    competition: Competition,
    raw: Path | None,
    rehearsal: bool,
    scratch: Path,
    client: Downloader | None,
    progress: Progress,
) -> RawData:
    """Return a folder of raw data, unpacked and downloaded if need be."""
    from mlebench.ground.loading import LazyFunction
    from mlebench.preparation.archives import extract

    unpacked = scratch / "raw"
    if rehearsal:
        extract(rehearsal_archive(competition), unpacked)
        return RawData(unpacked, Source.REHEARSAL)
    if raw is not None:
        return _given(competition, raw, progress)
    if competition.declaration is not None and competition.declaration.raw and competition.folder is not None:
        unpacked.mkdir()
        LazyFunction(competition.folder / "task.py", competition.declaration.raw)(unpacked)
        return RawData(unpacked, Source.EMBEDDED)
    return _in_data_directory(competition, client, progress)


def given_folder(competition: Competition, archive: Path) -> Path:
    """Return where an archive that the user named is unpacked to; a call with the same archive finds it again."""
    facts = archive.stat()
    identity = f"{archive.resolve()} {facts.st_size} {facts.st_mtime_ns}"
    digest = hashlib.sha256(identity.encode()).hexdigest()[:12]
    return competition.raw_dir.parent / f"{GIVEN}{digest}"


def remove_given(home: Path) -> None:
    """Remove what was unpacked from archives that the user named."""
    for path in home.glob(f"{GIVEN}*"):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def rehearsal_archive(competition: Competition) -> Path:
    """Return the archive of a competition's synthetic raw data; RawDataError where there is none."""
    archive = _rehearsal_path(competition)
    if not archive.is_file():
        raise RawDataError(
            f"{competition.label} has no rehearsal data"
            + ("; it needs none, since its data are embedded." if competition.is_embedded else ".")
        )
    return archive


def rehearsal_digest(competition: Competition) -> str | None:
    """Return the sha256 of a competition's synthetic raw data, or None where there are none."""
    archive = _rehearsal_path(competition)
    return hashlib.sha256(archive.read_bytes()).hexdigest() if archive.is_file() else None


def _rehearsal_path(competition: Competition) -> Path:
    return (competition.folder or competition.leaderboard.parent) / REHEARSAL_ARCHIVE


def _given(competition: Competition, raw: Path, progress: Progress) -> RawData:
    from mlebench.data.unpacking import unpack
    from mlebench.preparation.counts import REHEARSAL_FILE

    if raw.is_file() and raw.suffix.lower() in TABLES:
        raise RawDataError(f"The file {raw} is no archive; give the folder that it lies in, or a Kaggle zip.")
    if raw.is_file():
        folder = given_folder(competition, raw)
        if not folder.is_dir():
            unpack(raw, folder, progress)
    elif has_files(raw):
        folder = raw.resolve()
    else:
        raise RawDataError(f"There are no raw data at {raw}; give a Kaggle zip or the folder it unpacks to.")
    source = Source.REHEARSAL if (folder / REHEARSAL_FILE).exists() else Source.UNVERIFIED
    return RawData(folder, source, raw if raw.is_file() else None, stays=not raw.is_file())


def _in_data_directory(competition: Competition, client: Downloader | None, progress: Progress) -> RawData:
    from mlebench.data.unpacking import journal_of, lacking_members, partial_of, unpack

    archive, folder = archive_of(competition), competition.raw_dir
    if has_files(folder):
        if not archive.is_file():
            return RawData(folder, Source.KAGGLE)
        lacking = lacking_members(archive, folder)
        if lacking:
            progress.say(f"{folder} lacks {len(lacking):,} files of {archive.name}, {lacking[0]!r} for one; going on.")
            shutil.rmtree(partial_of(folder), ignore_errors=True)  # raw/ is further than what was begun aside
            journal_of(folder).unlink(missing_ok=True)
            unpack(archive, folder, progress)
        return RawData(folder, Source.KAGGLE, archive)
    if folder.is_dir():
        folder.rmdir()
    if not archive.is_file():
        fetch(competition.id, archive, client, progress)
    unpack(archive, folder, progress)
    return RawData(folder, Source.KAGGLE, archive)
