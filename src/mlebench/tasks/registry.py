"""Find competitions: built-in ones, those of plugin packages, and those in folders of the user."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import DeclarationError, UnknownNameError
from mlebench.ground.files import home_folder
from mlebench.tasks.competition import Competition
from mlebench.tasks.declaration import Declaration
from mlebench.tasks.ref import TaskRef, Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PACKAGE = Path(__file__).resolve().parent.parent
COMPETITIONS_DIR = PACKAGE / "competitions"
SPLITS_DIR = PACKAGE / "splits"
DECLARATION_FILE = "competition.yaml"
ENTRY_POINT_GROUP = "mlebench.competitions"
FOLDERS_VARIABLE = "MLEBENCH_COMPETITIONS"
"""Environment variable with the user's folders, separated as in PATH."""
SPLIT_ALIASES = {"lite": "low", "all": "split75"}


def default_data_dir() -> Path:
    """Return `mle-bench/data` below the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or f"{home_folder()}/.cache"
    return (Path(cache) / "mle-bench" / "data").resolve()


DEFAULT_DATA_DIR = default_data_dir()


@dataclass(frozen=True)
class Registry:
    """All competitions, bound to one data directory.

    Examples
    --------
    >>> registry = Registry()
    >>> registry.get_competition("spaceship-titanic").name
    'Spaceship Titanic'
    >>> len(registry.get_split("lite"))
    22
    """

    data_dir: Path = DEFAULT_DATA_DIR
    """Folder with the data of all competitions; it need not exist."""
    folders: tuple[Path, ...] = field(default=())
    """Folders of the user: each is the folder of a competition, or holds such folders."""

    def get_competition(self, competition_id: str) -> Competition:
        """Return a competition; its data need not be there.

        Parameters
        ----------
        competition_id
            An id, with `@v2` for that version.

        Raises
        ------
        UnknownNameError
            There is no such competition, or the competition has no such version. The message suggests the nearest name.
        """
        try:
            ref = TaskRef.parse(competition_id)
        except UnknownNameError:
            self._find(competition_id.partition("@")[0])  # an unknown competition is reported first
            raise
        return Competition.bind(self._find(ref.competition_id), self.get_data_dir(), ref.version)

    def get_declaration(self, competition_id: str) -> Declaration:
        """Return the content of a competition's `competition.yaml`; no code of the task runs."""
        return Declaration.read(self._find(competition_id) / DECLARATION_FILE)

    def list_competition_ids(self) -> list[str]:
        """Return the ids of all competitions, sorted."""
        return sorted(self._folders_by_id())

    def get_lite_competition_ids(self) -> list[str]:
        """Return the 22 ids of the split `low`."""
        return self.get_split("low")

    def get_split(self, name: str) -> list[str]:
        """Return the ids of a split, such as `low`, `lite`, `all` or `demo`, in the order of its file.

        `low@v2` gives the same competitions in version v2, as labels.

        Raises
        ------
        UnknownNameError
            There is no such split or version.
        """
        split, _, version = name.partition("@")
        path = SPLITS_DIR / f"{SPLIT_ALIASES.get(split, split)}.txt"
        if not path.is_file() or "/" in split:
            raise UnknownNameError("split", split, self.list_splits())
        ids = path.read_text(encoding="utf-8").split()
        return [TaskRef(id, Version.parse(version or Version.V1)).label for id in ids]

    def list_splits(self) -> list[str]:
        """Return the names of all splits, aliases included, sorted."""
        return sorted([*(path.stem for path in SPLITS_DIR.glob("*.txt")), *SPLIT_ALIASES])

    def set_data_dir(self, new_data_dir: Path) -> Registry:
        """Return a new registry with another data directory; this one does not change."""
        return Registry(Path(new_data_dir), self.folders)

    def get_data_dir(self) -> Path:
        """Return the data directory as an absolute path."""
        return Path(self.data_dir).resolve()

    def get_competitions_dir(self) -> Path:
        """Return the folder of the built-in competitions."""
        return COMPETITIONS_DIR

    def get_splits_dir(self) -> Path:
        """Return the folder with a file for each split, such as `low.txt`."""
        return SPLITS_DIR

    def _find(self, competition_id: str) -> Path:
        # Built-in folders are found by name; only a miss reads the declarations of all others.
        if competition_id in _built_in():
            return _built_in()[competition_id]
        folders = self._folders_by_id()
        if competition_id not in folders:
            raise UnknownNameError("competition", competition_id, folders)
        return folders[competition_id]

    def _folders_by_id(self) -> Mapping[str, Path]:
        folders = dict(_built_in())
        of_user = [Path(part) for part in os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep) if part]
        for folder in [*plugin_folders(), *_competition_folders([*of_user, *self.folders])]:
            competition_id = Declaration.read(folder / DECLARATION_FILE).id
            if folders.setdefault(competition_id, folder) != folder:
                raise DeclarationError(
                    f"Two folders declare the competition {competition_id!r}: {folders[competition_id]} and {folder}."
                )
        return folders


def folder_name(competition_id: str) -> str:
    """Return the name of a built-in competition's folder; a leading `_` protects a digit, as in module names."""
    name = competition_id.replace("-", "_")
    return f"_{name}" if name[:1].isdigit() else name


@functools.cache
def _built_in() -> Mapping[str, Path]:
    return {
        folder.name.removeprefix("_").replace("_", "-"): folder
        for folder in sorted(COMPETITIONS_DIR.iterdir())
        if (folder / DECLARATION_FILE).is_file()
    }


@functools.cache
def plugin_folders() -> tuple[Path, ...]:
    """Return the competition folders of installed plugin packages, which entry points name."""
    from importlib.metadata import entry_points

    packages = [entry_point.load() for entry_point in entry_points(group=ENTRY_POINT_GROUP)]
    return tuple(_competition_folders(Path(path) for package in packages for path in package.__path__))


def _competition_folders(places: Iterable[Path]) -> list[Path]:
    """Return the places that are folders of competitions, and such folders directly inside the others."""
    found = []
    for place in places:
        if (place / DECLARATION_FILE).is_file():
            found.append(place.resolve())
        elif place.is_dir():
            found += [path.parent.resolve() for path in sorted(place.glob(f"*/{DECLARATION_FILE}"))]
        else:
            raise DeclarationError(f"There is no folder {place} with competitions.")
    return found


def open_registry(data_dir: Path | None = None, folders: Iterable[Path] = ()) -> Registry:
    """Return the registry of a data directory.

    Parameters
    ----------
    data_dir
        The data directory; by default `mle-bench/data` in the user's cache folder.
    folders
        Competition folders of the user, or folders that contain them.
    """
    return Registry(data_dir or DEFAULT_DATA_DIR, tuple(folders))


registry = Registry()
