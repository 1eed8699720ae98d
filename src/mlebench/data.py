"""Preparing a competition's data: find the raw data, split them anew aside, verify, and move them into place.

DATA/ID/ID.zip                what Kaggle hands out
DATA/ID/raw/                  the same unpacked
DATA/ID/prepared/public/      what an agent gets        (prepared-v2 for version v2)
DATA/ID/prepared/private/     the answers
DATA/ID/prepared/manifest.json   where the data came from; written last
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
import tempfile
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mlebench import __version__
from mlebench.errors import (
    ChecksumError,
    DeclarationError,
    MLEBenchError,
    NotPreparedError,
    PreparationError,
    RawDataError,
    UsageError,
)
from mlebench.files import DISK_FULL, folder_size, write_atomically
from mlebench.reports import now

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from mlebench.competition import Competition

logger = logging.getLogger(__name__)

MANIFEST = "manifest.json"
DESCRIPTION = "description.md"
REHEARSAL_ARCHIVE = "rehearsal.zip"
REPLACED = "replaced"


class Source(StrEnum):
    """Where prepared data came from, and so what a score on them is worth."""

    KAGGLE = "kaggle"
    """The real raw data; the prepared files agree with the checksums on record."""
    EMBEDDED = "embedded"
    """Made on this machine from data that ship with a dependency."""
    REHEARSAL = "rehearsal"
    """Tiny synthetic data with the real schema; never a result."""
    UNVERIFIED = "unverified"
    """Raw data that the user named, and that differ from those on record or were not compared."""
    UNKNOWN = "unknown"
    """Prepared by another program; there is no manifest."""


class Manifest(BaseModel):
    """What is said of prepared data in `manifest.json`, the last file to be written."""

    model_config = ConfigDict(frozen=True)

    format_version: Literal[1] = 1
    competition_id: str
    version: str
    source: Source
    rehearsal_sha256: str | None = None
    """Digest of the archive that rehearsal data were made from."""
    public_files: int
    private_files: int
    bytes: int
    prepared_at: datetime
    mlebench_version: str


def is_dataset_prepared(competition: Competition, grading_only: bool = False) -> bool:
    """Say whether a competition's data are there; with `grading_only`, only what grading needs."""
    from mlebench.competition import Competition

    assert isinstance(competition, Competition), f"A Competition is needed, not a {type(competition).__name__}."
    if not (_has_files(competition.private_dir) and competition.answers.is_file()):
        return False
    return grading_only or (_has_files(competition.public_dir) and competition.sample_submission.is_file())


def require_prepared(competition: Competition, *, grading_only: bool = False) -> None:
    """Raise NotPreparedError, with the command to run, unless a competition's data are there."""
    if not is_dataset_prepared(competition, grading_only=grading_only):
        raise NotPreparedError(
            f"The data of {competition.label} are not prepared in {competition.prepared_dir}; "
            f"run: mlebench prepare -c {competition.label}"
        )


def read_manifest(competition: Competition) -> Manifest | None:
    """Return the manifest of prepared data, or None where there is none that can be read."""
    try:
        return Manifest.model_validate_json((competition.prepared_dir / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None


def data_source(competition: Competition) -> Source:
    """Return where prepared data came from."""
    manifest = read_manifest(competition)
    return manifest.source if manifest else Source.UNKNOWN


def prepare(
    competition: Competition,
    *,
    raw: Path | None = None,
    rehearsal: bool = False,
    keep_raw: bool = True,
    skip_verification: bool = False,
    force: bool = False,
) -> Manifest:
    """Prepare a competition's data, unless they are there already from the same source.

    Without `raw` (a Kaggle zip or an unpacked folder) and `rehearsal`, the raw data are looked for in the
    data directory, or made here for embedded competitions. Everything is made aside and moved into place in
    one step, so a preparation that is cut short leaves nothing behind that counts as prepared. Data prepared
    from real raw data are replaced by a rehearsal only with `force`.
    """
    if raw is not None and rehearsal:
        raise UsageError("Raw data of your own and the rehearsal data exclude each other; give one of them.")
    home = competition.prepared_dir.parent
    home.mkdir(parents=True, exist_ok=True)
    with locked(home / ".lock"):
        for leftover in home.glob(".preparing-*"):
            _clear(leftover)
        current = _current(competition)
        if current is not None and not force and raw is None:
            if rehearsal and current.source is not Source.REHEARSAL:
                raise PreparationError(
                    f"{competition.label} is already prepared from {current.source} data; "
                    "a rehearsal would replace them, so say --force if you mean it."
                )
            if not rehearsal and current.source is not Source.REHEARSAL:
                return current
            if rehearsal and current.rehearsal_sha256 == _rehearsal_digest(competition):
                return current
        scratch = Path(tempfile.mkdtemp(prefix=".preparing-", dir=home))
        try:
            folder, source = _find_raw(competition, raw, rehearsal, scratch)
            manifest = _build(competition, folder, source, scratch / "prepared", skip_verification)
            _move_into_place(scratch / "prepared", competition.prepared_dir, scratch / REPLACED)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        if not keep_raw:
            shutil.rmtree(competition.raw_dir, ignore_errors=True)
    return manifest


def _current(competition: Competition) -> Manifest | None:
    """Return what is known of data that are already there, a made-up manifest for another program's."""
    if not is_dataset_prepared(competition):
        return None
    return read_manifest(competition) or Manifest(
        competition_id=competition.id,
        version=competition.version,
        source=Source.UNKNOWN,
        public_files=0,
        private_files=0,
        bytes=0,
        prepared_at=now(),
        mlebench_version="unknown",
    )


def _find_raw(competition: Competition, raw: Path | None, rehearsal: bool, scratch: Path) -> tuple[Path, Source]:
    """Return a folder of raw data and what kind of data it holds."""
    from mlebench.loading import LazyFunction
    from mlebench.preparation.archives import extract
    from mlebench.preparation.counts import REHEARSAL_FILE

    unpacked = scratch / "raw"
    if rehearsal:
        extract(_rehearsal_archive(competition), unpacked)
        return unpacked, Source.REHEARSAL
    if raw is not None:
        if raw.is_file():
            extract(raw, unpacked)
            folder = unpacked
        elif _has_files(raw):
            folder = raw.resolve()
        else:
            raise RawDataError(f"There are no raw data at {raw}; give a Kaggle zip or the folder it unpacks to.")
        return folder, Source.REHEARSAL if (folder / REHEARSAL_FILE).exists() else Source.UNVERIFIED
    if competition.declaration is not None and competition.declaration.raw and competition.folder is not None:
        unpacked.mkdir()
        LazyFunction(competition.folder / "task.py", competition.declaration.raw)(unpacked)
        return unpacked, Source.EMBEDDED
    if _has_files(competition.raw_dir):
        return competition.raw_dir, Source.KAGGLE
    archive = competition.raw_dir.parent / f"{competition.id}.zip"
    if archive.is_file():
        extract(archive, unpacked)
        unpacked.rename(competition.raw_dir)
        return competition.raw_dir, Source.KAGGLE
    raise RawDataError(
        f"There are no raw data of {competition.id}, and this version of mlebench does not download: "
        f"get the zip from https://www.kaggle.com/c/{competition.id}/data and give it with --raw PATH, "
        f"or put it at {archive}, or prepare synthetic data with --rehearsal."
    )


def _build(competition: Competition, raw: Path, source: Source, prepared: Path, skip_verification: bool) -> Manifest:
    public, private = prepared / "public", prepared / "private"
    public.mkdir(parents=True)
    private.mkdir()
    try:
        competition.prepare_fn(raw, public, private)
    except MLEBenchError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in DISK_FULL:
            raise  # says nothing about the raw data
        raise PreparationError(
            f"The raw data of {competition.label} could not be prepared ({type(error).__name__}: {error}); "
            "most likely they are incomplete or not those of this competition."
        ) from error
    (public / DESCRIPTION).write_text(competition.description, encoding="utf-8")
    for path in (competition.answers, competition.sample_submission):
        if not (prepared / path.relative_to(competition.prepared_dir)).is_file():
            raise DeclarationError(f"The preparer of {competition.label} did not write {path.name}.")
    source = _verify(competition, prepared, source, skip_verification)
    # Jobs that root starts run as another user.
    public_files, public_bytes = folder_size(public, open_to_all=os.geteuid() == 0)
    private_files, private_bytes = folder_size(private)
    manifest = Manifest(
        competition_id=competition.id,
        version=competition.version,
        source=source,
        rehearsal_sha256=_rehearsal_digest(competition) if source is Source.REHEARSAL else None,
        public_files=public_files,
        private_files=private_files,
        bytes=public_bytes + private_bytes,
        prepared_at=now(),
        mlebench_version=__version__,
    )
    write_atomically(prepared / MANIFEST, manifest.model_dump_json(indent=2) + "\n")
    return manifest


def _verify(competition: Competition, prepared: Path, source: Source, skip: bool) -> Source:
    """Compare with the checksums on record; returns the source, corrected by what was found."""
    if source is Source.REHEARSAL or not competition.checksums.is_file():
        return source
    if competition.version != "v1":  # the record is that of v1
        return source
    if skip:
        return Source.UNVERIFIED if source is Source.KAGGLE else source
    differing = differing_files(competition.checksums, prepared)
    if not differing:
        return Source.KAGGLE if source is Source.UNVERIFIED else source
    message = (
        f"{', '.join(differing[:5])} of {competition.label} differ from the files on record, "
        "so scores are not comparable with anybody's"
    )
    if source is Source.KAGGLE:
        raise ChecksumError(f"{message}; get the raw data again, or say --skip-verification to go on.")
    logger.warning("%s; the data are marked as unverified.", message)
    return Source.UNVERIFIED


def differing_files(checksums: Path, prepared: Path) -> list[str]:
    """Return the files below `prepared` that are missing or whose md5 is not the one on record."""
    import yaml

    recorded = yaml.safe_load(checksums.read_bytes())
    return [
        f"{part}/{name}"
        for part in ("public", "private")
        for name, digest in recorded.get(part, {}).items()
        if not (prepared / part / name).is_file() or get_checksum(prepared / part / name) != digest
    ]


def _move_into_place(made: Path, target: Path, replaced: Path) -> None:
    # Between the two renames nothing is prepared; a reader sees the old data, none, or the new data whole.
    if target.exists():
        replaced.mkdir()
        target.rename(replaced / target.name)
    made.rename(target)


def _clear(leftover: Path) -> None:
    """Remove what a call that was killed left behind, and put back what it was about to replace."""
    for old in (leftover / REPLACED).glob("*"):
        target = leftover.parent / old.name
        if not target.exists():
            old.rename(target)
    shutil.rmtree(leftover)


def _rehearsal_archive(competition: Competition) -> Path:
    archive = (competition.folder or competition.leaderboard.parent) / REHEARSAL_ARCHIVE
    if not archive.is_file():
        raise RawDataError(
            f"{competition.label} has no rehearsal data"
            + ("; it needs none, since its data are embedded." if competition.is_embedded else ".")
        )
    return archive


def _rehearsal_digest(competition: Competition) -> str | None:
    archive = (competition.folder or competition.leaderboard.parent) / REHEARSAL_ARCHIVE
    return hashlib.sha256(archive.read_bytes()).hexdigest() if archive.is_file() else None


def _has_files(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that the system releases when the process ends, however it ends."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


# Names that programs written for the reference call.


def download_and_prepare_dataset(
    competition: Competition,
    keep_raw: bool = True,
    overwrite_checksums: bool = False,
    overwrite_leaderboard: bool = False,
    skip_verification: bool = False,
) -> None:
    """Prepare a competition's data as `prepare` does, with the arguments that clients pass."""
    if overwrite_checksums or overwrite_leaderboard:
        logger.warning("Checksums and leaderboards on record are part of mlebench and are not overwritten.")
    ensure_leaderboard_exists(competition)
    prepare(competition, keep_raw=keep_raw, skip_verification=skip_verification or overwrite_checksums)


def download_dataset(competition_id: str, download_dir: Path, quiet: bool = False, force: bool = False) -> Path:
    """Return the path of a competition's zip in a folder; this version does not download, so it must be there."""
    archive = Path(download_dir) / f"{competition_id}.zip"
    if force or not archive.is_file():
        raise RawDataError(
            f"This version of mlebench does not download: get the zip from "
            f"https://www.kaggle.com/c/{competition_id}/data and put it at {archive}."
        )
    return archive


def create_prepared_dir(competition: Competition) -> None:
    """Create the empty folders that a preparer fills."""
    competition.public_dir.mkdir(exist_ok=True, parents=True)
    competition.private_dir.mkdir(exist_ok=True, parents=True)


def ensure_leaderboard_exists(competition: Competition, force: bool = False) -> Path:
    """Return the path of a competition's leaderboard; raises FileNotFoundError when there is none."""
    if force:
        raise UsageError("Leaderboards are part of mlebench and are not downloaded again.")
    if not competition.leaderboard.is_file():
        raise FileNotFoundError(f"There is no leaderboard for {competition.id} at {competition.leaderboard}.")
    return competition.leaderboard


def get_leaderboard(competition: Competition) -> pd.DataFrame:
    """Return the private leaderboard, best first, with a column `score`."""
    from mlebench.tables import read_csv

    return read_csv(ensure_leaderboard_exists(competition))


def get_checksum(path: Path) -> str:
    """Return a file's md5 as hexadecimal text."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def generate_checksums(
    target_dir: Path, exts: list[str] | None = None, exclude: list[Path] | None = None
) -> dict[str, object]:
    """Return the md5 of the files in a folder by name, those of sub-folders nested below the folder's name.

    By default only `.csv`, `.json`, `.jsonl`, `.parquet` and `.bson` files count.
    """
    wanted = set(exts or ["csv", "json", "jsonl", "parquet", "bson"])
    skipped = {path.resolve() for path in exclude or []}
    checksums: dict[str, object] = {}
    for path in sorted(target_dir.iterdir()):
        if path.resolve() in skipped:
            continue
        if path.is_dir():
            nested = generate_checksums(path, exts, exclude)
            if nested:
                checksums[path.name] = nested
        elif path.suffix.lstrip(".") in wanted:
            checksums[path.name] = get_checksum(path)
    return checksums
