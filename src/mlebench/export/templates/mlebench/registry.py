"""The competitions of this tree: the folders below `competitions/` that have a config.yaml."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from mlebench.errors import DeclarationError, UnknownNameError
from mlebench.ground.loading import import_function
from mlebench.tasks.competition import Competition

from .utils import get_module_dir, get_repo_dir, load_yaml

__all__ = ["DEFAULT_DATA_DIR", "Competition", "Registry", "registry"]

DEFAULT_DATA_DIR = (Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mle-bench" / "data").resolve()


class Registry:
    """All competitions, bound to one data directory (which need not exist)."""

    def __init__(self, data_dir: Path = DEFAULT_DATA_DIR) -> None:
        self._data_dir = Path(data_dir).resolve()

    def get_competition(self, competition_id: str) -> Competition:
        """Return a competition by id; its data need not be prepared."""
        folder = self.get_competitions_dir() / competition_id
        if competition_id not in self.list_competition_ids():
            raise UnknownNameError("competition", competition_id, self.list_competition_ids())
        config = load_yaml(folder / "config.yaml")
        home = self._data_dir / competition_id
        try:
            return Competition.from_dict(
                {
                    "id": config["id"],
                    "name": config["name"],
                    "description": (get_repo_dir() / config["description"]).read_text(encoding="utf-8"),
                    "competition_type": config["competition_type"],
                    "grader": config["grader"],
                    "prepare_fn": import_function(config["preparer"]),
                    "raw_dir": home / "raw",
                    "public_dir": home / "prepared" / "public",
                    "private_dir": home / "prepared" / "private",
                    "checksums": folder / "checksums.yaml",
                    "leaderboard": folder / "leaderboard.csv",
                }
                | self._data_files(config["dataset"])
            )
        except KeyError as error:
            raise DeclarationError(f"The config.yaml of {competition_id} lacks {error}.") from error

    def _data_files(self, dataset: dict[str, Any]) -> dict[str, Path]:
        files = {name: self._data_dir / dataset[name] for name in ("answers", "sample_submission")}
        gold = dataset.get("gold_submission")
        return files | {"gold_submission": self._data_dir / gold if gold else files["answers"]}

    def list_competition_ids(self) -> list[str]:
        """Return the ids of all competitions, sorted."""
        return sorted(path.parent.name for path in self.get_competitions_dir().glob("*/config.yaml"))

    def get_lite_competition_ids(self) -> list[str]:
        """Return the ids of the split `low`, in its order."""
        return (self.get_splits_dir() / "low.txt").read_text(encoding="utf-8").split()

    def set_data_dir(self, new_data_dir: Path) -> Registry:
        """Return a new registry with another data directory; this one keeps its own."""
        return Registry(new_data_dir)

    def get_data_dir(self) -> Path:
        return self._data_dir

    def get_competitions_dir(self) -> Path:
        return get_module_dir() / "competitions"

    def get_splits_dir(self) -> Path:
        return get_repo_dir() / "experiments" / "splits"


registry = Registry()
