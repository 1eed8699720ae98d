"""Selecting competitions: by id, by split, or by a file that lists ids."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from mlebench.errors import UsageError
from mlebench.tasks.ref import TaskRef, Version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mlebench.tasks.registry import Registry

logger = logging.getLogger(__name__)


def select_competitions(
    registry: Registry,
    competitions: Sequence[str] = (),
    split: str | None = None,
    list_file: Path | None = None,
    version: str | None = None,
) -> list[str]:
    """Return the labels of the selected competitions, each once, in the order given.

    Parameters
    ----------
    registry
        The competitions to select from.
    competitions
        Ids, with `@v2` for that version.
    split
        Name of a split, such as `low` or `low@v2`.
    list_file
        A text file with one id on each line; empty lines and lines that begin with `#` are skipped.
    version
        The version of those that do not name one, such as `v2`.

    Raises
    ------
    UsageError
        Not exactly one of the three is given, or the file cannot be read.
    UnknownNameError
        There is no such split or version.
    """
    if sum(map(bool, (competitions, split, list_file))) != 1:
        raise UsageError("Select competitions in one way: by id (-c), by split (--split) or by list (-l).")
    if split:
        competitions = _of_split(registry, split)
    elif list_file:
        competitions = _of_file(list_file)
    if version:
        wanted = Version.parse(version)
        competitions = [label if "@" in label else TaskRef(label, wanted).label for label in competitions]
    return list(dict.fromkeys(competitions))


def _of_file(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The list {path} cannot be read: {error}.") from error
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _of_split(registry: Registry, split: str) -> list[str]:
    wanted, known = registry.get_split(split), set(registry.list_competition_ids())
    found = [label for label in wanted if TaskRef.parse(label).competition_id in known]
    if len(found) < len(wanted):
        logger.warning(
            "%d of the %d competitions of %s do not exist yet.", len(wanted) - len(found), len(wanted), split
        )
    return found
