"""Groups of options: a command with a parameter of such a class has all options of the class.

Typer itself knows single parameters only.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

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
    TimeLimit,
    open_registry,
)
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.tasks.registry import Registry

    Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Which competitions, and where they and their data are."""

    competition_id: CompetitionIds = None
    list_file: ListFile = None
    split: Split = None
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
        return select_competitions(self.registry, self.competition_id or (), split, self.list_file)

    def as_options(self) -> dict[str, Any]:
        """Return the same as options of a group of runs."""
        return {
            "competitions": self.competition_id,
            "list_file": self.list_file,
            "split": self.split,
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


def with_groups(command: Callable[..., Result]) -> Callable[..., Result]:
    """Return a command whose groups of options are single options, each group in the place of its parameter."""
    kinds = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in kinds.items() if is_dataclass(kind)}
    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            inner = get_type_hints(groups[name], include_extras=True)
            options += [_option(field.name, inner[field.name], field.default) for field in fields(groups[name])]
        else:
            options.append(_option(name, kinds[name], parameter.default))

    @functools.wraps(command)
    def called(**given: Any) -> Result:
        values = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return command(**given, **values)

    called.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    called.__annotations__ = {option.name: option.annotation for option in options}
    return called


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
