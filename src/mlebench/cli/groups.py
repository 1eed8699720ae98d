"""Groups of options that several commands share: competitions, limits, models."""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from mlebench.cli.options import (
    CompetitionIds,
    Cpus,
    DataDir,
    Disk,
    Folders,
    Gpus,
    Grace,
    ListFile,
    Memory,
    ModelMode,
    ModelsFile,
    ProfileName,
    Recording,
    Split,
    TaskVersion,
    TimeLimit,
    open_registry,
)
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.tasks.registry import Registry


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Which competitions, and where they and their data are."""

    competition_id: CompetitionIds = None
    list_file: ListFile = None
    split: Split = None
    task_version: TaskVersion = None
    data_dir: DataDir = None
    folder: Folders = None

    @property
    def names_some(self) -> bool:
        return bool(self.competition_id or self.list_file or self.split)

    @functools.cached_property
    def registry(self) -> Registry:
        return open_registry(self.data_dir, self.folder)

    def ids(self, **flags: bool) -> list[str]:
        """Return the ids that exactly one of the options selects; `flags` are options that stand for a split each."""
        from mlebench.tasks.selection import select_competitions

        splits = [split for split in (self.split, *(name for name, given in flags.items() if given)) if split]
        if len(splits) > 1:
            raise UsageError("Select competitions in one way: by one split only.")
        split = splits[0] if splits else None
        return select_competitions(self.registry, self.competition_id or (), split, self.list_file, self.task_version)

    def as_options(self) -> dict[str, Any]:
        """Return the same as options of a group of runs."""
        return {
            "competitions": self.competition_id,
            "list_file": self.list_file,
            "split": self.split,
            "task_version": self.task_version,
            "data_dir": self.data_dir,
            "folders": self.folder,
        }


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """What each run may use."""

    profile: ProfileName = None
    time_limit: TimeLimit = None
    grace: Grace = "10s"
    memory: Memory = None
    cpus: Cpus = None
    disk: Disk = None
    gpus: Gpus = None

    def as_options(self) -> dict[str, Any]:
        """Return the same as options of a group of runs."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Which models agents may ask, and where the answers come from."""

    models: ModelsFile = None
    model_mode: ModelMode = "live"
    recording: Recording = None

    def as_options(self) -> dict[str, Any]:
        """Return the same as options of a group of runs."""
        return asdict(self)
