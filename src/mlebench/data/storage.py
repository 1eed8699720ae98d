"""What lies in the data directory, what it takes, and removing what can be had again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mlebench.data.download import archive_of
from mlebench.data.home import LOCK, SCRATCH, is_locked, locked, remove
from mlebench.data.manifest import Source, data_source, is_dataset_prepared
from mlebench.data.raw import GIVEN
from mlebench.data.space import disk_usage
from mlebench.data.unpacking import PARTIAL

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.tasks.competition import Competition

Kind = Literal["raw", "zip", "partial"]


@dataclass(frozen=True)
class Holding:
    """What lies in the data directory for one competition; sizes are bytes on disk."""

    label: str
    source: Source | None
    """Where the prepared data came from; None where nothing is prepared."""
    prepared: int
    raw: int = 0
    raw_alone: int = 0
    """Of `raw`, what does not share its bytes with prepared files: so much is gained by removing it."""
    archive: int = 0
    partial: int = 0
    """Transfers and unpackings that were cut short, and what killed calls left."""
    busy: bool = False
    """Whether a process is working on it now."""

    @property
    def total(self) -> int:
        """Bytes on disk, those that raw and prepared files share counted once."""
        return self.prepared + self.raw_alone + self.archive + self.partial


@dataclass(frozen=True)
class Removal:
    """Something that is removed, or would be."""

    label: str
    kind: Kind
    path: Path
    bytes: int
    """What is gained."""
    kept: str | None = None
    """Why it is not removed."""


def holding_of(competition: Competition) -> Holding:
    """Measure what lies in the data directory for a competition.

    Versions share raw data and archive, which are counted with v1.
    """
    home = competition.raw_dir.parent
    prepared = is_dataset_prepared(competition)
    if competition.version != "v1":
        return Holding(
            label=competition.label,
            source=data_source(competition) if prepared else None,
            prepared=disk_usage(competition.prepared_dir),
        )
    return Holding(
        label=competition.label,
        source=data_source(competition) if prepared else None,
        prepared=disk_usage(competition.prepared_dir),
        raw=disk_usage(competition.raw_dir),
        raw_alone=disk_usage(competition.raw_dir, freed=True),
        archive=_usage(archive_of(competition)),
        partial=sum(_usage(path) for path in partial_paths(competition)),
        busy=is_locked(home / LOCK),
    )


def partial_paths(competition: Competition) -> list[Path]:
    """Return what calls that were cut short left: part of an archive, of an unpacking, of a preparation."""
    home = competition.raw_dir.parent
    archive, raw = archive_of(competition).name, competition.raw_dir.name
    patterns = (f"{archive}.*", f"{raw}{PARTIAL}*", f"{SCRATCH}*", f"{GIVEN}*")
    return sorted({path for pattern in patterns for path in home.glob(pattern)})


def clean(competition: Competition, kinds: set[Kind], *, dry_run: bool, force: bool = False) -> list[Removal]:
    """Remove raw data, archives and what was left half-made; returns what is gained, or would be in a dry run.

    Raw data and archives of a competition that is not prepared are kept unless `force`: without them it would have
    to be downloaded again. What a process is working on is kept.
    """
    home = competition.raw_dir.parent
    if not home.is_dir():
        return []
    whole: dict[Kind, Path] = {"raw": competition.raw_dir, "zip": archive_of(competition)}
    candidates = [(kind, path) for kind, path in whole.items() if kind in kinds and path.exists()]
    if "partial" in kinds:
        candidates += [("partial", path) for path in partial_paths(competition)]
    needed = None if force or is_dataset_prepared(competition) else "not prepared yet"
    busy = "in use" if is_locked(home / LOCK) else None
    removals = [
        Removal(
            competition.label,
            kind,
            path,
            disk_usage(path, freed=True) if path.is_dir() else _usage(path),
            busy or (needed if kind != "partial" else None),
        )
        for kind, path in candidates
    ]
    wanted = [removal for removal in removals if removal.kept is None]
    if wanted and not dry_run:
        with locked(home / LOCK):
            remove((removal.path for removal in wanted), home)
    return removals


def _usage(path: Path) -> int:
    if path.is_dir():
        return disk_usage(path)
    return path.stat().st_blocks * 512 if path.exists() else 0
