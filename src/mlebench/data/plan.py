"""What getting data takes before it begins: what is there, what must be fetched, disk at the peak, time."""

from __future__ import annotations

import heapq
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.data.download import archive_of, read_note
from mlebench.data.manifest import Source, has_files, is_dataset_prepared, read_manifest
from mlebench.data.space import MARGIN, disk_usage, free_bytes
from mlebench.data.unpacking import partial_of, unpacked_size
from mlebench.errors import ArchiveError
from mlebench.ground.extras import missing
from mlebench.ground.wording import format_size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mlebench.tasks.competition import Competition

GB = 1000**3
BANDWIDTH = 20e6
"""Bytes a second that a download is taken to have where none was measured or declared."""
WORK = 100e6
"""Bytes a second at which data are unpacked, split and verified by one process."""
LINKED = ("Image", "Audio", "Signal", "Video", "3D", "Object Detection")
"""Beginnings of the categories whose raw data are mostly files that are placed as they are."""
GROWTH = {True: 1.05, False: 3.0}
"""How much larger unpacked data are than their archive: files that are placed as they are, and tables."""
TABLES = {True: 0.1, False: 1.0}
"""Bytes that preparing writes beside the linked ones, as a share of the unpacked data."""


class State(StrEnum):
    """How far a competition's data have come."""

    PREPARED = "prepared"
    EMBEDDED = "made here"
    RAW = "raw data there"
    ZIP = "zip there"
    DOWNLOAD = "to download"


class Rules(StrEnum):
    """Whether a competition's rules are accepted, which Kaggle wants before it hands out data."""

    NOT_NEEDED = "not needed"
    UNKNOWN = "not asked"
    ACCEPTED = "accepted"
    MISSING = "not accepted"


class Row(BaseModel):
    """One competition of a plan; sizes in bytes."""

    model_config = ConfigDict(frozen=True)

    competition: str
    state: State
    size_is: Literal["measured", "declared", "unknown"]
    """Whether `archive` and `unpacked` were looked up, go back to the declared size, or are not known."""
    archive: int
    unpacked: int
    download: int
    """What is still to be fetched."""
    peak: int
    """Disk that preparing takes at its peak, beside what it takes now."""
    stays: int
    """Disk that is taken afterwards, beside what is taken now."""
    seconds: float
    rules: Rules
    page: str | None
    """Where the rules are accepted."""


class DataPlan(BaseModel):
    """What preparing competitions takes; sizes in bytes."""

    model_config = ConfigDict(frozen=True)

    format_version: Literal[1] = 1
    data_dir: str
    jobs: int
    bandwidth: float
    """Bytes a second that downloads are taken to have, all together."""
    bandwidth_is: Literal["declared", "measured", "assumed"]
    rows: tuple[Row, ...]
    download: int
    disk_free: int
    disk_peak: int
    disk_stays: int
    seconds: float
    obstacles: tuple[str, ...]
    """Why it cannot start; empty if it can."""

    @property
    def lacks_disk(self) -> bool:
        """Whether the disk is too small for the peak."""
        return self.disk_peak * (1 + MARGIN) > self.disk_free

    @property
    def pages(self) -> list[str]:
        """The pages on which rules are still to be accepted."""
        return [row.page for row in self.rows if row.rules is Rules.MISSING and row.page]


def make_plan(
    competitions: Sequence[Competition],
    data_dir: Path,
    *,
    jobs: int = 1,
    keep_raw: bool = False,
    keep_zip: bool = False,
    link: bool = True,
    bandwidth: float | None = None,
    sizes: dict[str, int] | None = None,
    rules: dict[str, bool] | None = None,
    problems: Sequence[str] = (),
) -> DataPlan:
    """Return what preparing competitions takes.

    `sizes` (of archives, in bytes) and `rules` (accepted or not) are what Kaggle answered by id; `problems` are why
    something cannot be downloaded.
    """
    rate, rate_is = _bandwidth(data_dir, bandwidth)
    rows = tuple(_row(each, keep_raw, keep_zip, link, rate, sizes or {}, rules or {}) for each in competitions)
    download = sum(row.download for row in rows)
    stays = sum(row.stays for row in rows)
    # At worst those that need most beside what they leave are under way when all others are done.
    peak = max(0, sum(max(0, row.stays) for row in rows)) + sum(
        heapq.nlargest(jobs, (row.peak - max(0, row.stays) for row in rows))
    )
    free = free_bytes(data_dir)
    obstacles = []
    if peak * (1 + MARGIN) > free:
        obstacles.append(
            f"{format_size(peak)} of disk are needed at the peak and {format_size(free)} are free at {data_dir}."
        )
    missing = [row for row in rows if row.rules is Rules.MISSING]
    if missing:
        names = ", ".join(row.competition for row in missing)
        obstacles.append(f"You must accept the rules of {names} first, on Kaggle's own pages.")
    obstacles += [*_lacking(competitions, rows), *problems]
    work = sum(row.seconds for row in rows)
    return DataPlan(
        data_dir=str(data_dir),
        jobs=jobs,
        bandwidth=rate,
        bandwidth_is=rate_is,
        rows=rows,
        download=download,
        disk_free=free,
        disk_peak=peak,
        disk_stays=stays,
        seconds=max(download / rate, work / jobs, max((row.seconds for row in rows), default=0.0)),
        obstacles=tuple(obstacles),
    )


def _lacking(competitions: Sequence[Competition], rows: Sequence[Row]) -> Iterator[str]:
    for competition, row in zip(competitions, rows, strict=True):
        extras = competition.declaration.extras if competition.declaration else ()
        if row.state is not State.PREPARED and (lacking := missing(extras)):
            yield f"Preparing {competition.label} needs more: pip install 'mlebench[{','.join(lacking)}]'"


def to_download(competitions: Sequence[Competition]) -> list[Competition]:
    """Return the competitions whose raw data have to be fetched."""
    return [competition for competition in competitions if _state(competition) is State.DOWNLOAD]


def _state(competition: Competition) -> State:
    if is_dataset_prepared(competition):
        manifest = read_manifest(competition)
        if manifest is None or manifest.source is not Source.REHEARSAL:
            return State.PREPARED
    if competition.is_embedded:
        return State.EMBEDDED
    if has_files(competition.raw_dir):
        return State.RAW
    return State.ZIP if archive_of(competition).is_file() else State.DOWNLOAD


def _row(
    competition: Competition,
    keep_raw: bool,
    keep_zip: bool,
    link: bool,
    rate: float,
    sizes: dict[str, int],
    rules: dict[str, bool],
) -> Row:
    state, declared = _state(competition), competition.declaration
    category = declared.category if declared else ""
    placed = category.startswith(LINKED)
    archive = archive_of(competition)
    size_gb = declared.size_gb if declared else None
    archive_bytes = archive.stat().st_size if archive.is_file() else sizes.get(competition.id, int((size_gb or 0) * GB))
    unpacked, measured = int(archive_bytes * GROWTH[placed]), False
    if state is State.RAW:
        unpacked, measured = disk_usage(competition.raw_dir), True
    elif archive.is_file():
        try:
            unpacked, measured = unpacked_size(archive), True
        except ArchiveError:
            measured = False  # preparing will say what is wrong with it
    if state in (State.PREPARED, State.EMBEDDED):
        archive_bytes = unpacked = 0
    size_is: Literal["measured", "declared", "unknown"] = (
        "measured" if measured or archive.is_file() or competition.id in sizes else "declared" if size_gb else "unknown"
    )
    fetched = _partly_fetched(archive) if state is State.DOWNLOAD else 0
    download = max(0, archive_bytes - fetched) if state is State.DOWNLOAD else 0
    to_unpack = (
        0 if state in (State.RAW, State.PREPARED) else max(0, unpacked - disk_usage(partial_of(competition.raw_dir)))
    )
    written = int(unpacked * TABLES[placed])
    copied = 0 if link or not keep_raw else max(0, unpacked - written) if placed else 0
    peak = download + to_unpack + written + copied
    # Afterwards: what is linked stays even if raw/ goes, under its other name.
    raw_goes = 0 if keep_raw else unpacked - (int(unpacked * (1 - TABLES[placed])) if placed else 0)
    zip_goes = 0 if keep_zip or state is not State.DOWNLOAD else archive_bytes
    return Row(
        competition=competition.label,
        state=state,
        size_is=size_is,
        archive=archive_bytes,
        unpacked=unpacked,
        download=download,
        peak=peak,
        stays=peak - raw_goes - zip_goes,
        seconds=download / rate + (to_unpack + unpacked + written + copied) / WORK,
        rules=_rules(competition, state, rules),
        page=f"https://www.kaggle.com/c/{competition.id}/rules" if state is State.DOWNLOAD else None,
    )


def _rules(competition: Competition, state: State, rules: dict[str, bool]) -> Rules:
    if state is not State.DOWNLOAD:
        return Rules.NOT_NEEDED
    if competition.id not in rules:
        return Rules.UNKNOWN
    return Rules.ACCEPTED if rules[competition.id] else Rules.MISSING


def _partly_fetched(archive: Path) -> int:
    part = archive.with_name(f"{archive.name}.part")
    return part.stat().st_size if part.is_file() else 0


def _bandwidth(data_dir: Path, declared: float | None) -> tuple[float, Literal["declared", "measured", "assumed"]]:
    """Return the bytes a second of downloads: as declared, as the last ones had, or a guess."""
    if declared is not None:
        return declared, "declared"
    notes = [note for path in data_dir.glob("*") if (note := read_note(path)) and note.seconds and note.fetched]
    recent = sorted(notes, key=lambda note: note.at)[-5:]
    fetched, seconds = sum(note.fetched for note in recent), sum(note.seconds for note in recent)
    return (fetched / seconds, "measured") if fetched > 10e6 and seconds > 1 else (BANDWIDTH, "assumed")
