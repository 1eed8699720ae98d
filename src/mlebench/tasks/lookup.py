"""Look up competitions by id or split, for functions that take an id or a competition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.errors import UsageError
from mlebench.tasks.competition import Competition
from mlebench.tasks.ref import TaskRef
from mlebench.tasks.registry import registry as default_registry

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.tasks.registry import Registry


def get_competition(
    competition: Competition | TaskRef | str, *, data_dir: Path | None = None, registry: Registry | None = None
) -> Competition:
    """Return the competition that an argument names; a `Competition` is returned unchanged.

    Parameters
    ----------
    competition
        An id such as `spaceship-titanic` or `spaceship-titanic@v2`, a `TaskRef`, or a competition.
    data_dir
        Folder with the competitions' data; by default that of the registry.
    registry
        Where the competition is found; by default the built-in ones, plugins, and folders of the user.

    Raises
    ------
    UnknownNameError
        There is no such competition or version.
    UsageError
        A `Competition` was given, which is bound to a data directory already, and `data_dir` or `registry` as well.

    Examples
    --------
    >>> get_competition("spaceship-titanic@v2").label
    'spaceship-titanic@v2'
    """
    if isinstance(competition, Competition):
        if data_dir is not None or registry is not None:
            raise UsageError("Pass the competition's id with data_dir or registry, or a Competition without them.")
        return competition
    registry = registry or default_registry
    if data_dir is not None:
        registry = registry.set_data_dir(data_dir)
    return registry.get_competition(str(competition))


def list_competitions(
    split: str | None = None, *, data_dir: Path | None = None, registry: Registry | None = None
) -> list[Competition]:
    """Return all competitions in version v1, or those of a split.

    Parameters
    ----------
    split
        Name of a split, such as `lite` or `low@v2`. Competitions of a split that are not installed are left out.
    data_dir, registry
        As in `get_competition`.

    Raises
    ------
    UnknownNameError
        There is no such split.

    Examples
    --------
    >>> [competition.id for competition in list_competitions("demo")][:2]
    ['demo-breast-cancer', 'demo-diabetes']
    """
    registry = registry or default_registry
    known = registry.list_competition_ids()
    refs = [TaskRef.parse(label) for label in (known if split is None else registry.get_split(split))]
    return [get_competition(ref, data_dir=data_dir, registry=registry) for ref in refs if ref.competition_id in known]
