"""Remove data that can be downloaded or made again; prepared data always stay."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from mlebench.data.download import archive_path
from mlebench.data.locks import LOCK, is_locked, locked
from mlebench.data.manifest import is_dataset_prepared
from mlebench.data.neutral import unsettled
from mlebench.data.scratch import remove
from mlebench.data.space import disk_usage
from mlebench.data.status import partial_paths, select_stored
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry

Kind = Literal["raw", "zip", "partial"]


@dataclass(frozen=True)
class Removal:
    """A file or folder that was removed, or would be in a dry run."""

    label: str
    """The competition's id."""
    kind: Kind
    path: Path
    bytes: int
    """Disk space that removing it frees."""
    kept: str | None = None
    """Why it is not removed."""


@dataclass(frozen=True)
class Cleanup:
    """What `clean_data` has removed, or would remove in a dry run."""

    removals: tuple[Removal, ...]
    """Those that are kept as well, with the reason."""
    dry_run: bool

    @property
    def freed(self) -> int:
        """Bytes of disk space."""
        return sum(removal.bytes for removal in self.removals if removal.kept is None)

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain values for JSON."""
        removed = [{**vars(removal), "path": str(removal.path)} for removal in self.removals]
        return {"dry_run": self.dry_run, "removed": removed, "bytes": self.freed}


def clean_data(
    competitions: Iterable[Competition | TaskRef | str] | None = None,
    *,
    raw: bool = False,
    zips: bool = False,
    partial: bool = False,
    dry_run: bool = False,
    force: bool = False,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> Cleanup:
    """Remove raw data, archives or leftovers of interrupted calls.

    Prepared data stay, and so does everything of a competition that a process is working on.

    Parameters
    ----------
    competitions
        Ids or competitions; by default all that have data.
    raw
        Remove unpacked raw data.
    zips
        Remove archives.
    partial
        Remove interrupted downloads and unpackings, and leftovers of killed processes.
    dry_run
        Remove nothing.
    force
        Remove raw data and archives even if the competition is not prepared yet, so they must be downloaded again.
    data_dir, registry
        Where the competitions and their data are; see `mlebench.tasks.lookup.get_competition`.

    Returns
    -------
    Cleanup
        What is removed, or would be, and what is kept with the reason.

    Raises
    ------
    UsageError
        Nothing is selected.
    UnknownNameError
        There is no such competition.
    """
    selected: dict[Kind, bool] = {"raw": raw, "zip": zips, "partial": partial}
    kinds = {kind for kind, is_selected in selected.items() if is_selected}
    if not kinds:
        raise UsageError("Select what to remove: --raw, --zips or --partial; --dry-run lists it without removing it.")
    found = select_stored(competitions, data_dir=data_dir, registry=registry)
    by_folder = {each.raw_dir: each for each in reversed(found)}  # versions share it
    removals = (
        removal
        for competition in reversed(by_folder.values())
        for removal in _clean(competition, kinds, dry_run=dry_run, force=force)
    )
    return Cleanup(tuple(removals), dry_run)


def _clean(competition: Competition, kinds: set[Kind], *, dry_run: bool, force: bool) -> list[Removal]:
    home = competition.raw_dir.parent
    if not home.is_dir():
        return []
    whole: dict[Kind, Path] = {"raw": competition.raw_dir, "zip": archive_path(competition)}
    candidates = [(kind, path) for kind, path in whole.items() if kind in kinds and path.exists()]
    if "partial" in kinds:
        candidates += [("partial", path) for path in partial_paths(competition)]
    in_use = "in use" if is_locked(home / LOCK) else None
    needed = None if force or is_dataset_prepared(competition) else "not prepared yet"
    removals = [
        Removal(
            competition.label,
            kind,
            path,
            disk_usage(path, exclusive=True),
            in_use or (needed if kind != "partial" else None),
        )
        for kind, path in candidates
    ]
    removable = [removal.path for removal in removals if removal.kept is None]
    if removable and not dry_run:
        with locked(home / LOCK), ExitStack() as stack:
            for public in home.glob("*/public"):  # of each version; its files may be links to the raw ones
                stack.enter_context(unsettled(public.parent))
            remove(removable, home)
    return removals
