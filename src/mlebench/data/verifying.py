"""Verify prepared data: against the checksums on record, and against what they were when they were made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.data.checksums import ChecksumRecord, get_checksum
from mlebench.data.differences import Difference, compare_with_manifest, compare_with_record
from mlebench.data.manifest import Source, read_manifest, require_prepared
from mlebench.data.progress import Step
from mlebench.data.summaries import list_tables, summarize_names
from mlebench.errors import ChecksumError
from mlebench.ground.files import folder_size
from mlebench.ground.wording import count, join_names

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.data.manifest import Manifest
    from mlebench.data.progress import Progress
    from mlebench.data.raw import RawData
    from mlebench.data.summaries import FileSummary
    from mlebench.tasks.competition import Competition

MAX_SHOWN = 5
"""Differing files that messages describe."""


@dataclass(frozen=True)
class Verification:
    """The result of verifying the files of a competition's prepared data."""

    label: str
    source: Source
    tables: int
    """Tables that were read."""
    on_record: int
    """Files on record that they were compared with."""
    files: int | None
    """Files that were counted; None without a manifest."""
    differences: tuple[Difference, ...]

    @property
    def agrees(self) -> bool:
        """Whether nothing differs; files that could not be compared do not count."""
        return all(difference.kind == "not compared" for difference in self.differences)


def summarize_tables(prepared: Path, progress: Progress) -> dict[str, FileSummary]:
    """Read the tables of a prepared folder; return their summaries by path below it."""
    names = sorted(str(path.relative_to(prepared)) for path in list_tables(prepared))
    progress.step(Step.VERIFY, sum((prepared / name).stat().st_size for name in names))
    return summarize_names(prepared, names, progress.advance)


def determine_source(
    competition: Competition,
    prepared: Path,
    raw: RawData,
    tables: dict[str, FileSummary],
    *,
    skip_verification: bool,
    progress: Progress,
) -> Source:
    """Compare prepared data with the checksums on record, and return the source that the manifest states.

    Parameters
    ----------
    competition
        The competition, which may have a record.
    prepared
        The folder with `public` and `private`.
    raw
        The raw data that it was made from.
    tables
        Summaries of the tables by path below `prepared`.
    skip_verification
        Do not compare. Data from Kaggle become `unverified`.
    progress
        Gets a message for each difference.

    Returns
    -------
    Source
        `kaggle` if the files agree, also for raw data of the user; `unverified` if those of the user differ.

    Raises
    ------
    ChecksumError
        Data from the data directory or from Kaggle differ from the record.
    """
    source = raw.source
    if source is Source.REHEARSAL or not _has_record(competition):
        return source
    if skip_verification:
        return Source.UNVERIFIED if source is Source.KAGGLE else source
    problem = describe_differences(competition, prepared, raw.archive, tables, progress)
    if problem is None:
        return Source.KAGGLE if source is Source.UNVERIFIED else source
    if source is Source.KAGGLE:
        raise ChecksumError(
            f"{problem}, so scores are not comparable with other results; get the raw data again, or use "
            "--skip-verification to prepare them as unverified."
        )
    progress.message(f"{problem}, so scores are not comparable with other results; the data are marked as unverified.")
    return Source.UNVERIFIED


def describe_differences(
    competition: Competition, prepared: Path, archive: Path | None, tables: dict[str, FileSummary], progress: Progress
) -> str | None:
    """Compare prepared data with the files on record.

    Parameters
    ----------
    competition
        The competition, which has a record.
    prepared
        The folder with `public` and `private`.
    archive
        The archive that the raw data were unpacked from, if there is one.
    tables
        Summaries of the tables by path below `prepared`.
    progress
        Gets a message for each difference.

    Returns
    -------
    str or None
        The beginning of a sentence that names the differing files; None if all agree.
    """
    record = ChecksumRecord.read(competition.checksums)
    found = compare_with_record(record, prepared, tables)
    for difference in found[:MAX_SHOWN]:
        progress.message(f"{competition.label}: {difference}.")
    differing = [difference.path for difference in found if difference.kind != "not compared"]
    if not differing:
        return None
    names = join_names(differing, MAX_SHOWN)
    return f"{names} of {competition.label} differ from the files on record{_compare_archive(archive, record)}"


def verify_files(competition: Competition, progress: Progress) -> Verification:
    """Compare prepared data with the manifest and with the record of the real files.

    Tables are read; of the other files, number and size are compared. Rehearsal data have no record.

    Raises
    ------
    NotPreparedError
        The data are not prepared.
    """
    require_prepared(competition)
    prepared, manifest = competition.prepared_dir, read_manifest(competition)
    source = manifest.source if manifest else Source.UNKNOWN
    tables = summarize_tables(prepared, progress)
    found = compare_with_manifest(manifest.tables, prepared, tables) if manifest else []
    on_record = 0
    if source is not Source.REHEARSAL and _has_record(competition):
        record = ChecksumRecord.read(competition.checksums)
        on_record = len(record.files)
        reported = {difference.path for difference in found}
        found += [other for other in compare_with_record(record, prepared, tables) if other.path not in reported]
    files = None
    if manifest is not None and manifest.mlebench_version != "unknown":
        files = folder_size(competition.public_dir)[0] + folder_size(competition.private_dir)[0]
        found += _compare_counts(competition, manifest)
    return Verification(competition.label, source, len(tables), on_record, files, tuple(found))


def _has_record(competition: Competition) -> bool:
    """Whether there are checksums of the real files of this version."""
    return competition.checksums.is_file()


def _compare_counts(competition: Competition, manifest: Manifest) -> list[Difference]:
    """Compare the number of files, or else their bytes, with the manifest."""
    public_files, public_bytes = folder_size(competition.public_dir)
    private_files, private_bytes = folder_size(competition.private_dir)
    found = [
        Difference(folder, "differs", f"had {count(before, 'file')} when it was made and has {now:,}")
        for folder, now, before in (
            ("public/", public_files, manifest.public_files),
            ("private/", private_files, manifest.private_files),
        )
        if now != before
    ]
    size = public_bytes + private_bytes
    if not found and size != manifest.bytes:
        found.append(Difference("public/", "differs", f"had {manifest.bytes:,} bytes with private/ and has {size:,}"))
    return found


def _compare_archive(archive: Path | None, record: ChecksumRecord) -> str:
    """Return whether Kaggle's archive has changed; it is read only if prepared files differ."""
    if archive is None or record.archive is None or not archive.is_file():
        return ""
    if get_checksum(archive) == record.archive:
        return f" although {archive.name} is the archive on record, which suggests another version of a library"
    return f", and {archive.name} is not the archive on record either"
