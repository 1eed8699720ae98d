"""Estimate what preparing one competition takes: download, disk and time."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.data.download import archive_path
from mlebench.data.manifest import Source, has_files, is_dataset_prepared, read_manifest
from mlebench.data.space import disk_usage
from mlebench.data.unpacking import partial_folder, size_of, unpacked_size
from mlebench.errors import ArchiveError
from mlebench.kaggle.models import Survey, rules_page

if TYPE_CHECKING:
    from mlebench.data.options import PrepareOptions
    from mlebench.tasks.competition import Competition

GB = 1000**3
WORK_RATE = 100e6
"""Bytes per second at which one process unpacks, splits and verifies data."""
LINKED_CATEGORIES = ("Image", "Audio", "Signal", "Video", "3D", "Object Detection")
"""Beginnings of the categories whose raw files are mostly linked, not rewritten."""
EXPANSION = {True: 1.05, False: 3.0}
"""Size of unpacked data relative to their archive, by whether most files are linked."""
WRITTEN_SHARE = {True: 0.1, False: 1.0}
"""Share of the unpacked bytes that preparing writes again, by whether most files are linked."""


class State(StrEnum):
    """How far a competition's data have come."""

    PREPARED = "prepared"
    EMBEDDED = "made here"
    RAW = "raw data there"
    ZIP = "zip there"
    DOWNLOAD = "to download"


class Rules(StrEnum):
    """Whether the account has accepted a competition's rules."""

    NOT_NEEDED = "not needed"
    UNKNOWN = "not asked"
    ACCEPTED = "accepted"
    MISSING = "not accepted"


class PlanRow(BaseModel):
    """One competition of a plan; sizes in bytes."""

    model_config = ConfigDict(frozen=True)

    competition: str
    """The id, with `@v2` for that version."""
    state: State
    size_is: Literal["measured", "declared", "unknown"]
    """The origin of `archive` and `unpacked`: a measurement, the size in the declaration, or none."""
    archive: int
    unpacked: int
    download: int
    """What is not downloaded yet."""
    peak: int
    """Most additional disk space during preparation."""
    stays: int
    """Additional disk space afterwards; negative if preparing frees some."""
    seconds: float
    rules: Rules
    page: str | None
    """Where the rules are accepted."""


@dataclass(frozen=True)
class _Sizes:
    """Bytes of a competition's archive and of its unpacked data."""

    archive: int
    unpacked: int
    origin: Literal["measured", "declared", "unknown"]


def state_of(competition: Competition) -> State:
    """Return how far a competition's data have come; rehearsal data do not count."""
    if is_dataset_prepared(competition):
        manifest = read_manifest(competition)
        if manifest is None or manifest.source is not Source.REHEARSAL:
            return State.PREPARED
    if competition.is_embedded:
        return State.EMBEDDED
    if has_files(competition.raw_dir):
        return State.RAW
    return State.ZIP if archive_path(competition).is_file() else State.DOWNLOAD


def estimate(competition: Competition, options: PrepareOptions, bandwidth: float, survey: Survey) -> PlanRow:
    """Estimate what preparing a competition takes.

    Parameters
    ----------
    competition
        The competition.
    options
        `keep_raw`, `keep_zip` and `link` decide what stays on the disk.
    bandwidth
        Of downloads, in bytes per second.
    survey
        Kaggle's answers about archive sizes and accepted rules.
    """
    state = state_of(competition)
    is_linked = bool(competition.declaration and competition.declaration.category.startswith(LINKED_CATEGORIES))
    sizes = _sizes(competition, state, survey, EXPANSION[is_linked])
    unpacked, archive = sizes.unpacked, archive_path(competition)
    partial_bytes = size_of(archive.with_name(f"{archive.name}.part")) or 0
    download = max(0, sizes.archive - partial_bytes) if state is State.DOWNLOAD else 0
    is_unpacked = state in (State.RAW, State.PREPARED)
    to_unpack = 0 if is_unpacked else max(0, unpacked - disk_usage(partial_folder(competition.raw_dir)))
    written = int(unpacked * WRITTEN_SHARE[is_linked])
    linked = unpacked - written if is_linked else 0
    copied = max(0, linked) if options.keep_raw and not options.link else 0
    peak = download + to_unpack + written + copied
    removed = 0
    if not options.keep_raw:
        removed += unpacked - (int(unpacked * (1 - WRITTEN_SHARE[is_linked])) if is_linked else 0)  # links stay
    if not options.keep_zip and state is State.DOWNLOAD:
        removed += sizes.archive
    return PlanRow(
        competition=competition.label,
        state=state,
        size_is=sizes.origin,
        archive=sizes.archive,
        unpacked=unpacked,
        download=download,
        peak=peak,
        stays=peak - removed,
        seconds=download / bandwidth + (to_unpack + unpacked + written + copied) / WORK_RATE,
        rules=_rules(competition, state, survey),
        page=rules_page(competition.id) if state is State.DOWNLOAD else None,
    )


def _sizes(competition: Competition, state: State, survey: Survey, expansion: float) -> _Sizes:
    archive = archive_path(competition)
    declared = competition.declaration.size_gb if competition.declaration else None
    archive_bytes = size_of(archive) if archive.is_file() else survey.sizes.get(competition.id)
    origin: Literal["measured", "declared", "unknown"] = "measured"
    if archive_bytes is None:
        archive_bytes, origin = int((declared or 0) * GB), "declared" if declared else "unknown"
    unpacked = int(archive_bytes * expansion)
    if state is State.RAW:
        unpacked, origin = disk_usage(competition.raw_dir), "measured"
    elif archive.is_file():
        with suppress(ArchiveError):  # preparing reports what is wrong with it
            unpacked = unpacked_size(archive)
    if state in (State.PREPARED, State.EMBEDDED):
        archive_bytes = unpacked = 0
    return _Sizes(archive_bytes, unpacked, origin)


def _rules(competition: Competition, state: State, survey: Survey) -> Rules:
    if state is not State.DOWNLOAD:
        return Rules.NOT_NEEDED
    if competition.id not in survey.accepted:
        return Rules.UNKNOWN
    return Rules.ACCEPTED if survey.accepted[competition.id] else Rules.MISSING
