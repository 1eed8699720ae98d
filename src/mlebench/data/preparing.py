"""Preparing a competition: find the raw data, split them anew aside, verify, and move them into place.

DATA/ID/.lock                    held while anything here changes
DATA/ID/ID.zip                   what Kaggle hands out; while it is fetched, under another name
DATA/ID/raw/                     the same unpacked; until it is whole, raw.partial/
DATA/ID/.preparing-XXXX/         everything is made here; the next call removes what a killed one left
DATA/ID/prepared/public/         what an agent gets        (prepared-v2 for version v2)
DATA/ID/prepared/private/        the answers
DATA/ID/prepared/manifest.json   where the data came from; written last
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mlebench.data.build import build, manifest_of
from mlebench.data.download import archive_of, is_own_download, own_pages
from mlebench.data.home import LOCK, clear_leftovers, locked, move_into_place, scratch_folder
from mlebench.data.manifest import Manifest, Source, is_dataset_prepared, read_manifest, write_manifest
from mlebench.data.progress import Quiet
from mlebench.data.raw import find_raw, rehearsal_digest, remove_given
from mlebench.data.verifying import differing_from_record, measure_tables
from mlebench.errors import ChecksumError, DiskFullError, MLEBenchError, PreparationError, UsageError
from mlebench.ground.clock import now
from mlebench.ground.extras import require
from mlebench.ground.files import DISK_FULL

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.data.download import Downloader
    from mlebench.data.progress import Progress
    from mlebench.tasks.competition import Competition


def prepare(
    competition: Competition,
    *,
    raw: Path | None = None,
    rehearsal: bool = False,
    keep_raw: bool = True,
    keep_zip: bool = True,
    link: bool = True,
    skip_verification: bool = False,
    brief: bool = False,
    force: bool = False,
    client: Downloader | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Prepare a competition's data, unless they are there already from the same source.

    Without `raw` (a Kaggle zip or an unpacked folder) and `rehearsal`, the raw data are looked for in the
    data directory, made here for embedded competitions, or downloaded by `client`. Everything is made aside and
    moved into place in one step, so a preparation that is cut short leaves nothing behind that counts as prepared,
    and the same call goes on where it was. Data prepared from real raw data are replaced by a rehearsal only with
    `force`; data that another program prepared are verified and kept.

    Prepared files that are the same as raw ones share their bytes with them, by hard links; without `link` they get
    their own. Without `keep_raw` the unpacked raw data are removed at the end, without `keep_zip` the archive if
    mlebench downloaded it. The description is the competition's own pages where `client` can fetch them, and our brief
    otherwise, or with `brief`. `progress` is told of each step.

    Raises PreparationError (RawDataError, ArchiveError, ChecksumError) and DiskFullError.
    """
    if raw is not None and rehearsal:
        raise UsageError("Raw data of your own and the rehearsal data exclude each other; give one of them.")
    progress = progress or Quiet()
    home = competition.prepared_dir.parent
    try:
        home.mkdir(parents=True, exist_ok=True)
        with locked(home / LOCK, lambda who: _wait(competition, who, progress)):
            clear_leftovers(home)
            current = _current(competition, rehearsal=rehearsal, anew=force or raw is not None)
            if current is not None and current.source is Source.UNKNOWN:
                current = _adopt(competition, current, skip_verification, progress)
            if current is None:
                wanted = _Wanted(raw, rehearsal, keep_raw, keep_zip, link, skip_verification, brief)
                current = _make(competition, wanted, client, progress)
            return current
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise DiskFullError(
            f"The disk of {home} is full ({error.strerror}) and {competition.label} is not prepared; make room "
            "(mlebench data clean) or name another folder, then give the same command again: it goes on from there."
        ) from error


def _current(competition: Competition, *, rehearsal: bool, anew: bool) -> Manifest | None:
    """Return what is known of data that are there and will do; a made-up manifest for another program's."""
    if anew or not is_dataset_prepared(competition):
        return None
    current = read_manifest(competition) or Manifest(
        competition_id=competition.id,
        version=competition.version,
        source=Source.UNKNOWN,
        public_files=0,
        private_files=0,
        bytes=0,
        prepared_at=now(),
        mlebench_version="unknown",
    )
    if rehearsal:
        if current.source is not Source.REHEARSAL:
            raise PreparationError(
                f"{competition.label} is already prepared from {current.source} data; "
                "a rehearsal would replace them, so say --force if you mean it."
            )
        return current if current.rehearsal_sha256 == rehearsal_digest(competition) else None
    return None if current.source is Source.REHEARSAL else current


def _adopt(competition: Competition, current: Manifest, skip_verification: bool, progress: Progress) -> Manifest:
    """Verify data that another program prepared, and write their manifest; those without a record stay unknown."""
    if skip_verification or competition.version != "v1" or not competition.checksums.is_file():
        return current
    prepared = competition.prepared_dir
    facts = measure_tables(prepared, progress)
    message = differing_from_record(competition, prepared, archive_of(competition), facts, progress)
    if message is not None:
        raise ChecksumError(
            f"The data in {prepared} were prepared by another program, and {message}; "
            "make them anew with --force, or take them as they are with --skip-verification."
        )
    manifest = manifest_of(competition, prepared, Source.KAGGLE, facts, "brief")
    write_manifest(manifest, prepared)
    progress.say(
        f"{competition.label} was prepared by another program; its tables are those on record, and it is kept."
    )
    return manifest


class _Wanted(NamedTuple):
    """How data are to be made."""

    raw: Path | None
    rehearsal: bool
    keep_raw: bool
    keep_zip: bool
    link: bool
    skip_verification: bool
    brief: bool


def _make(competition: Competition, wanted: _Wanted, client: Downloader | None, progress: Progress) -> Manifest:
    home = competition.prepared_dir.parent
    if competition.declaration is not None:
        require(*competition.declaration.extras)  # before anything is fetched
    try:
        with scratch_folder(home) as scratch:
            raw = find_raw(competition, wanted.raw, wanted.rehearsal, scratch, client, progress)
            manifest = build(
                competition,
                raw,
                scratch / "prepared",
                own_pages(competition, client, progress) if raw.is_real and not wanted.brief else None,
                skip_verification=wanted.skip_verification,
                own_bytes=not wanted.link and (raw.stays or wanted.keep_raw),
                progress=progress,
            )
            leaving = [] if wanted.keep_raw else [competition.raw_dir]
            if not wanted.keep_zip and is_own_download(competition):
                leaving.append(archive_of(competition))
            move_into_place(scratch / "prepared", competition.prepared_dir, leaving)
    except DiskFullError:
        raise  # what is unpacked is gone on with
    except MLEBenchError:
        remove_given(home)
        raise
    remove_given(home)
    return manifest


def _wait(competition: Competition, who: str, progress: Progress) -> None:
    progress.say(f"{competition.label} is being prepared by {who}; waiting until it is done.")
