"""Options that go together, as one value: a command that takes a group has all options of it.

Typer itself knows only single parameters, so each command would repeat the list.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from mlebench.cli.options import (
    CompetitionIds,
    DataDir,
    Folders,
    KeepRaw,
    KeepZip,
    Link,
    ListFile,
    Split,
    chosen_ids,
    open_registry,
)
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mlebench.tasks.registry import Registry

    Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Which competitions, and where they and their data lie."""

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
        """Return the ids that exactly one of the options names; `flags` are options that stand for a split each."""
        splits = [split for split in (self.split, *(name for name, given in flags.items() if given)) if split]
        if len(splits) > 1:
            raise UsageError("Say which competitions, in one way: by one split only.")
        return chosen_ids(self.registry, self.competition_id, splits[0] if splits else None, self.list_file)


@dataclass(frozen=True, kw_only=True)
class Keeping:
    """What stays on the disk beside prepared data."""

    keep_raw: KeepRaw = False
    keep_zip: KeepZip = False
    link: Link = True


def with_groups(command: Callable[..., Result]) -> Callable[..., Result]:
    """Return a command with the options of its groups, each group in its parameter's place."""
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
