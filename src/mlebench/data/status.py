"""What is in the data directory, and the disk space that it takes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.data.download import archive_path
from mlebench.data.locks import LOCK, is_locked
from mlebench.data.manifest import Source, data_source, is_dataset_prepared
from mlebench.data.raw import USER_PREFIX
from mlebench.data.scratch import SCRATCH_PREFIX
from mlebench.data.space import disk_usage, free_bytes
from mlebench.data.unpacking import PARTIAL_SUFFIX
from mlebench.tasks.lookup import get_competition
from mlebench.tasks.ref import TaskRef, Version
from mlebench.tasks.registry import registry as default_registry

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry


@dataclass(frozen=True)
class StoredData:
    """What is stored for one competition; sizes are bytes on disk."""

    label: str
    """The competition's id, with `@v2` for that version."""
    source: Source | None
    """Where the prepared data came from; None if nothing is prepared."""
    prepared: int
    raw: int = 0
    raw_alone: int = 0
    """The part of `raw` that is not shared with prepared files: what removing it frees."""
    archive: int = 0
    partial: int = 0
    """Interrupted downloads and unpackings, and leftovers of killed processes."""
    busy: bool = False
    """Whether a process is working on it now."""

    @property
    def total(self) -> int:
        """Bytes on disk; those that raw and prepared files share count once."""
        return self.prepared + self.raw_alone + self.archive + self.partial


@dataclass(frozen=True)
class DataStatus:
    """The content of a data directory; sizes are bytes on disk."""

    data_dir: Path
    competitions: tuple[StoredData, ...]
    disk_free: int

    @property
    def total(self) -> int:
        """Bytes on disk of all listed competitions."""
        return sum(stored.total for stored in self.competitions)

    def as_json(self) -> dict[str, Any]:
        """Return the status as plain values for JSON."""
        return {
            "data_dir": str(self.data_dir),
            "competitions": [{**dataclasses.asdict(each), "total": each.total} for each in self.competitions],
            "total": self.total,
            "disk_free": self.disk_free,
        }


def data_status(
    competitions: Iterable[Competition | TaskRef | str] | None = None,
    *,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> DataStatus:
    """Measure what the data directory contains.

    Parameters
    ----------
    competitions
        Ids or competitions; by default all that have data.
    data_dir, registry
        Where the competitions and their data are; see `mlebench.tasks.lookup.get_competition`.

    Raises
    ------
    UnknownNameError
        There is no such competition.
    """
    found = select_stored(competitions, data_dir=data_dir, registry=registry)
    stored = tuple(measure_stored(competition) for competition in found)
    if competitions is None:
        stored = tuple(each for each in stored if each.total or each.raw)
    if competitions is not None and found:
        folder = found[0].raw_dir.parents[1]
    else:
        folder = _bind(data_dir, registry).get_data_dir()
    return DataStatus(folder, stored, free_bytes(folder))


def select_stored(
    competitions: Iterable[Competition | TaskRef | str] | None,
    *,
    prepared: bool = False,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> list[Competition]:
    """Return the given competitions, or by default all that have a folder in the data directory.

    Parameters
    ----------
    competitions
        Ids or competitions; None for all.
    prepared
        If all are selected, only those whose data are prepared. Version v2 is always included only if it is prepared.
    data_dir, registry
        Where the competitions and their data are.
    """
    if competitions is not None:
        return [get_competition(each, data_dir=data_dir, registry=registry) for each in competitions]
    bound = _bind(data_dir, registry)
    refs = [
        TaskRef(name, version)
        for name in bound.list_competition_ids()
        if (bound.get_data_dir() / name).is_dir()
        for version in (Version.V1, *map(Version, bound.get_declaration(name).versions))
    ]
    found = [bound.get_competition(ref.label) for ref in refs]
    return [each for each in found if is_dataset_prepared(each) or (each.version is Version.V1 and not prepared)]


def measure_stored(competition: Competition) -> StoredData:
    """Measure what is stored for a competition; raw data and archive, which versions share, count with v1."""
    home = competition.raw_dir.parent
    source = data_source(competition) if is_dataset_prepared(competition) else None
    prepared = disk_usage(competition.prepared_dir)
    if competition.version != Version.V1:
        return StoredData(competition.label, source, prepared)
    return StoredData(
        competition.label,
        source,
        prepared,
        raw=disk_usage(competition.raw_dir),
        raw_alone=disk_usage(competition.raw_dir, exclusive=True),
        archive=disk_usage(archive_path(competition)),
        partial=sum(map(disk_usage, partial_paths(competition))),
        busy=is_locked(home / LOCK),
    )


def partial_paths(competition: Competition) -> list[Path]:
    """Return what interrupted calls left: parts of an archive, of an unpacking, of a preparation."""
    home = competition.raw_dir.parent
    archive, raw = archive_path(competition).name, competition.raw_dir.name
    patterns = (f"{archive}.*", f"{raw}{PARTIAL_SUFFIX}*", f"{SCRATCH_PREFIX}*", f"{USER_PREFIX}*")
    return sorted({path for pattern in patterns for path in home.glob(pattern)})


def _bind(data_dir: Path | None, registry: Registry | None) -> Registry:
    registry = registry or default_registry
    return registry.set_data_dir(data_dir) if data_dir is not None else registry
