"""Prepare a competition: find the raw data, split them in a scratch folder, verify them, and move them into place.

DATA/ID/.lock                    held while a process changes anything here
DATA/ID/ID.zip                   Kaggle's archive; ID.zip.part during the download
DATA/ID/raw/                     the unpacked archive; raw.partial/ during unpacking
DATA/ID/.preparing-XXXX/         the scratch folder; the next call cleans up after a killed one
DATA/ID/prepared/public/         what an agent gets        (prepared-v2 for version v2)
DATA/ID/prepared/private/        the answers
DATA/ID/prepared/manifest.json   where the data came from; written last
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.data.build import build, make_manifest
from mlebench.data.download import archive_path, fetch_description, is_own_download
from mlebench.data.locks import LOCK, locked
from mlebench.data.manifest import Manifest, Source, is_dataset_prepared, read_manifest, write_manifest
from mlebench.data.neutral import copy_neutrally, is_placed, is_settled, settle
from mlebench.data.options import PrepareOptions
from mlebench.data.progress import LogProgress
from mlebench.data.raw import find_raw, rehearsal_digest, remove_user_archives
from mlebench.data.scratch import clear_leftovers, move_into_place, scratch_folder
from mlebench.data.verifying import describe_differences, summarize_tables
from mlebench.errors import ChecksumError, DiskFullError, MLEBenchError, PreparationError
from mlebench.ground.clock import now
from mlebench.ground.extras import require
from mlebench.ground.files import DISK_FULL
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.data.download import Downloader
    from mlebench.data.progress import Progress
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry


def prepare(
    competition: Competition | TaskRef | str,
    *,
    raw: Path | None = None,
    rehearsal: bool = False,
    keep_raw: bool = True,
    keep_zip: bool = True,
    link: bool = True,
    skip_verification: bool = False,
    brief: bool = False,
    force: bool = False,
    data_dir: Path | None = None,
    registry: Registry | None = None,
    client: Downloader | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Prepare a competition's data, unless they are already prepared from the same source.

    Data are made in a scratch folder and moved into place in one step, so an interrupted call leaves nothing that
    counts as prepared. The same call resumes it. Data that another program prepared are verified and kept.

    Parameters
    ----------
    competition
        An id such as `spaceship-titanic` or `spaceship-titanic@v2`, or a competition.
    raw
        Raw data of yours: Kaggle's zip, or the folder it unpacks to. By default the data directory is searched,
        embedded data are made, and other data are downloaded from Kaggle.
    rehearsal
        Prepare small synthetic data with the real schema. They replace real data only with `force`.
    keep_raw
        Keep the unpacked raw data.
    keep_zip
        Keep an archive that mlebench downloaded. Your own archives are always kept.
    link
        Share unchanged files with the raw data by hard links. Otherwise they are copied if the raw data stay.
    skip_verification
        Do not compare the prepared files with the checksums on record.
    brief
        Use our brief as the description even if Kaggle's own pages can be downloaded.
    force
        Prepare again what is already prepared.
    data_dir, registry
        Where the competition and its data are; see `mlebench.tasks.lookup.get_competition`.
    client
        Downloads archives; by default a `mlebench.kaggle.KaggleClient`.
    progress
        Receives each step; by default, messages go to the log.

    Returns
    -------
    Manifest
        Where the data came from and what they consist of.

    Raises
    ------
    PreparationError
        There are no raw data (RawDataError), an archive is damaged (ArchiveError), the files differ from the record
        (ChecksumError), or the preparer fails.
    KaggleError
        The data cannot be downloaded.
    DiskFullError
        The disk is full. What is downloaded and unpacked is kept.
    MissingExtraError
        The competition needs an optional package.

    Examples
    --------
    >>> prepare("demo-wine").source
    <Source.EMBEDDED: 'embedded'>
    """
    options = PrepareOptions(
        raw=raw,
        rehearsal=rehearsal,
        keep_raw=keep_raw,
        keep_zip=keep_zip,
        link=link,
        skip_verification=skip_verification,
        brief=brief,
        force=force,
    )
    competition = get_competition(competition, data_dir=data_dir, registry=registry)
    return prepare_competition(competition, options, client=client, progress=progress)


def prepare_competition(
    competition: Competition,
    options: PrepareOptions,
    *,
    client: Downloader | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Prepare a competition's data with options as one value; see `prepare`."""
    progress = progress or LogProgress()
    home = competition.prepared_dir.parent
    try:
        home.mkdir(parents=True, exist_ok=True)
        with locked(home / LOCK, lambda holder: _report_wait(competition, holder, progress)):
            clear_leftovers(home)
            current = _find_current(competition, options)
            if current is not None and current.source is Source.UNKNOWN:
                current = _adopt(competition, current, options, progress)
            if current is not None:
                current = _keep_neutral(competition, current, progress)
            return current or _make(competition, options, client, progress)
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise DiskFullError(
            f"The disk of {home} is full ({error.strerror}), so {competition.label} is not prepared; free some space "
            "(mlebench data clean), then run the same command again to resume."
        ) from error


def _find_current(competition: Competition, options: PrepareOptions) -> Manifest | None:
    """Return the manifest of prepared data that satisfy the options; an artificial one for another program's data."""
    if options.force or options.raw is not None or not is_dataset_prepared(competition):
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
    if options.rehearsal:
        if current.source is not Source.REHEARSAL:
            raise PreparationError(
                f"{competition.label} is already prepared from {current.source} data; "
                "use --force to replace them with rehearsal data."
            )
        return current if current.rehearsal_sha256 == rehearsal_digest(competition) else None
    return None if current.source is Source.REHEARSAL else current


def _adopt(competition: Competition, current: Manifest, options: PrepareOptions, progress: Progress) -> Manifest:
    """Verify data that another program prepared, and write their manifest; without a record, they stay unknown."""
    if options.skip_verification or not competition.checksums.is_file():
        return current
    prepared = competition.prepared_dir
    tables = summarize_tables(prepared, progress)
    problem = describe_differences(competition, prepared, archive_path(competition), tables, progress)
    if problem is not None:
        raise ChecksumError(
            f"The data in {prepared} were prepared by another program, and {problem}; "
            "prepare them again with --force, or accept them with --skip-verification."
        )
    progress.message(
        f"{competition.label} was prepared by another program; its tables agree with the record, so it is kept."
    )
    manifest = make_manifest(competition, prepared, Source.KAGGLE, tables, "brief")
    write_manifest(manifest, prepared)
    return manifest


def _keep_neutral(competition: Competition, current: Manifest, progress: Progress) -> Manifest:
    """Make the metadata of public files neutral if another program or an earlier version prepared them."""
    if is_settled(competition.prepared_dir):
        return current
    if is_placed(competition.public_dir):
        return settle(competition.prepared_dir) or current
    progress.message(f"The order of {competition.label}'s files may tell labels; making it neutral.")
    with scratch_folder(competition.prepared_dir.parent) as scratch:
        prepared = scratch / "prepared"
        prepared.mkdir()
        for folder in (competition.public_dir, competition.private_dir):
            copy_neutrally(folder, prepared / folder.name, progress)
        if current.source is not Source.UNKNOWN:
            write_manifest(current, prepared)
        move_into_place(prepared, competition.prepared_dir, [])
    return settle(competition.prepared_dir) or current


def _make(competition: Competition, options: PrepareOptions, client: Downloader | None, progress: Progress) -> Manifest:
    home = competition.prepared_dir.parent
    if competition.declaration is not None:
        require(*competition.declaration.extras)  # before anything is downloaded
    try:
        with scratch_folder(home) as scratch:
            raw = find_raw(competition, options, scratch, client, progress)
            wants_pages = raw.is_real and not options.brief
            manifest = build(
                competition,
                raw,
                scratch / "prepared",
                fetch_description(competition, client, progress) if wants_pages else None,
                skip_verification=options.skip_verification,
                copy_linked=not options.link and (raw.is_users or options.keep_raw),
                progress=progress,
            )
            leaving = [] if options.keep_raw else [competition.raw_dir]
            if not options.keep_zip and is_own_download(competition):
                leaving.append(archive_path(competition))
            move_into_place(scratch / "prepared", competition.prepared_dir, leaving)
    except DiskFullError:
        raise  # the next call resumes what is unpacked
    except MLEBenchError:
        remove_user_archives(home)
        raise
    remove_user_archives(home)
    return settle(competition.prepared_dir) or manifest


def _report_wait(competition: Competition, holder: str, progress: Progress) -> None:
    progress.message(f"{competition.label} is being prepared by {holder}; waiting until it ends.")
