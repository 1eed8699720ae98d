"""Are prepared data those on record: when they are made, and, with what they were then, at any later time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.data.checksums import (
    Difference,
    Record,
    compare_with_facts,
    compare_with_record,
    get_checksum,
    measure_by_name,
)
from mlebench.data.facts import tables_of
from mlebench.data.manifest import Source, read_manifest, require_prepared
from mlebench.data.progress import Step
from mlebench.errors import ChecksumError
from mlebench.ground.files import folder_size
from mlebench.ground.wording import join_names

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.data.facts import FileFacts
    from mlebench.data.manifest import Manifest
    from mlebench.data.progress import Progress
    from mlebench.data.raw import RawData
    from mlebench.tasks.competition import Competition

SHOWN = 5
"""Differing files that are told in full."""


@dataclass(frozen=True)
class Verification:
    """What a look at prepared data found."""

    label: str
    source: Source
    tables: int
    """Tables that were read."""
    on_record: int
    """Those of them that were compared with the record of the real files."""
    files: int | None
    """Files that were counted and measured beside their number when they were made; None without a manifest."""
    differences: tuple[Difference, ...]

    @property
    def agrees(self) -> bool:
        """Whether nothing differs; what could not be compared does not count."""
        return all(difference.kind == "not compared" for difference in self.differences)


def measure_tables(prepared: Path, progress: Progress) -> dict[str, FileFacts]:
    """Measure the tables of a prepared folder, several at a time."""
    names = [str(path.relative_to(prepared)) for path in tables_of(prepared)]
    progress.step(Step.VERIFY, sum((prepared / name).stat().st_size for name in names))
    return measure_by_name(prepared, sorted(names), progress.advance)


def verified_source(
    competition: Competition,
    prepared: Path,
    raw: RawData,
    facts: dict[str, FileFacts],
    skip: bool,
    progress: Progress,
) -> Source:
    """Compare with the checksums on record; returns the source, corrected by what was found."""
    source = raw.source
    if source is Source.REHEARSAL or competition.version != "v1" or not competition.checksums.is_file():
        return source  # the record is that of v1
    if skip:
        return Source.UNVERIFIED if source is Source.KAGGLE else source
    message = differing_from_record(competition, prepared, raw.archive, facts, progress)
    if message is None:
        return Source.KAGGLE if source is Source.UNVERIFIED else source
    if source is Source.KAGGLE:
        raise ChecksumError(
            f"{message}, so scores are not comparable with anybody's; get the raw data again, or say "
            "--skip-verification to go on with data marked as unverified."
        )
    progress.say(f"{message}, so scores are not comparable with anybody's; the data are marked as unverified.")
    return Source.UNVERIFIED


def differing_from_record(
    competition: Competition, prepared: Path, archive: Path | None, facts: dict[str, FileFacts], progress: Progress
) -> str | None:
    """Return what differs from the files on record as the beginning of a sentence; each difference is also told."""
    record = Record.read(competition.checksums)
    found = compare_with_record(record, prepared, facts)
    for difference in found[:SHOWN]:
        progress.say(f"{competition.label}: {difference}.")
    differing = [difference.path for difference in found if difference.kind != "not compared"]
    if not differing:
        return None
    names = join_names(differing, SHOWN)
    return f"{names} of {competition.label} differ from the files on record{_archive_says(archive, record)}"


def verify(competition: Competition, progress: Progress) -> Verification:
    """Compare prepared data with what they were when they were made, and with the record of the real files.

    Tables are read; of other files the number and the bytes are compared. Rehearsal data have no record. Raises
    NotPreparedError where there are none.
    """
    require_prepared(competition)
    prepared, manifest = competition.prepared_dir, read_manifest(competition)
    source = manifest.source if manifest else Source.UNKNOWN
    facts = measure_tables(prepared, progress)
    found = compare_with_facts(manifest.tables, prepared, facts) if manifest else []
    recorded = 0
    if source is not Source.REHEARSAL and competition.version == "v1" and competition.checksums.is_file():
        record = Record.read(competition.checksums)
        recorded = len(record.files)
        told = {difference.path for difference in found}
        found += [other for other in compare_with_record(record, prepared, facts) if other.path not in told]
    files = None
    if manifest is not None and manifest.mlebench_version != "unknown":
        number, lost = _compare_numbers(competition, manifest)
        files, found = number, found + lost
    return Verification(competition.label, source, len(facts), recorded, files, tuple(found))


def _compare_numbers(competition: Competition, manifest: Manifest) -> tuple[int, list[Difference]]:
    public_files, public_bytes = folder_size(competition.public_dir)
    private_files, private_bytes = folder_size(competition.private_dir)
    found = []
    for part, now, then in (
        ("public/", public_files, manifest.public_files),
        ("private/", private_files, manifest.private_files),
    ):
        if now != then:
            found.append(Difference(part, "differs", f"had {then:,} files when it was made and has {now:,}"))
    size = public_bytes + private_bytes
    if not found and size != manifest.bytes:
        found.append(Difference("public/", "differs", f"had {manifest.bytes:,} bytes with private/ and has {size:,}"))
    return public_files + private_files, found


def _archive_says(archive: Path | None, record: Record) -> str:
    """Return whether it was Kaggle's archive that changed; it is read for that only where something differs."""
    if archive is None or record.archive is None or not archive.is_file():
        return ""
    if get_checksum(archive) == record.archive:
        return f" although {archive.name} is the archive on record, which points to a library's version"
    return f", and {archive.name} is not the archive on record either"
