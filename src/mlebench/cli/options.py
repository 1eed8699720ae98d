"""Options that several commands share."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.tasks.registry import Registry

logger = logging.getLogger(__name__)

DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder with the competitions' data; by default mle-bench/data in the user's cache folder."),
]
Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--folder", help="A competition's folder of your own, or one that holds such folders; may be repeated."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on standard output.")]
CompetitionIds = Annotated[
    list[str] | None,
    typer.Option("-c", "--competition-id", help="A competition's id, with @v2 for that version; may be repeated."),
]
Split = Annotated[
    str | None, typer.Option(help="All competitions of a split: low (lite), medium, high, all, dev, demo.")
]
ListFile = Annotated[Path | None, typer.Option("-l", "--list", help="A file with a competition's id on each line.")]
All = Annotated[bool, typer.Option("-a", "--all", help="All competitions of the split `all`.")]
KeepRaw = Annotated[bool, typer.Option("--keep-raw", help="Keep the unpacked raw data afterwards.")]
KeepZip = Annotated[bool, typer.Option("--keep-zip", help="Keep the archives that are downloaded afterwards.")]
Link = Annotated[
    bool,
    typer.Option(
        "--link/--no-link",
        help="Let prepared files share their bytes with the raw ones that are kept, so that these take no room.",
    ),
]
Jobs = Annotated[int, typer.Option("-j", "--jobs", min=1, help="Competitions that are prepared at a time.")]
RunsDir = Annotated[Path, typer.Option(help="Folder of run groups.")]


def open_registry(data_dir: Path | None, folders: list[Path] | None) -> Registry:
    """Return the registry that the options ask for."""
    from mlebench.tasks.registry import DEFAULT_DATA_DIR, Registry

    return Registry(data_dir or DEFAULT_DATA_DIR, tuple(folders or ()))


def chosen_ids(
    registry: Registry,
    ids: list[str] | None,
    split: str | None,
    list_file: Path | None = None,
) -> list[str]:
    """Return the ids that exactly one of the options names, in order and once each."""
    given = [option for option in (ids, split, list_file) if option]
    if len(given) != 1:
        raise UsageError("Say which competitions, in one way: by id (-c), by split (--split) or by list (-l).")
    if split:
        return _built(registry, split)
    if list_file:
        try:
            lines = list_file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"The list {list_file} cannot be read: {error}.") from error
        ids = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return list(dict.fromkeys(ids or ()))


def _built(registry: Registry, split: str) -> list[str]:
    """Return the competitions of a split that are there; the others are named in a warning."""
    wanted, known = registry.get_split(split), set(registry.list_competition_ids())
    absent = [name for name in wanted if name not in known]
    if absent:
        logger.warning("%d of the %d competitions of %s are not built yet.", len(absent), len(wanted), split)
    return [name for name in wanted if name in known]
