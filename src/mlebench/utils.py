"""Small helpers under the names that programs written for the reference import."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from mlebench.errors import UsageError
from mlebench.grading.answers import load_answers
from mlebench.grading.answers import read_jsonl as _read_jsonl
from mlebench.ground.clock import get_timestamp
from mlebench.ground.loading import import_function as import_fn

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "authenticate_kaggle_api",
    "compress",
    "create_run_dir",
    "extract",
    "generate_run_id",
    "get_logger",
    "get_module_dir",
    "get_repo_dir",
    "get_runs_dir",
    "get_timestamp",
    "import_fn",
    "in_ci",
    "is_compressed",
    "is_empty",
    "load_answers",
    "load_yaml",
    "purple",
    "read_csv",
    "read_jsonl",
]

MAX_NESTING = 5
"""Maximum depth of archives within an archive."""
LOG_FORMAT = "[%(asctime)s] [%(filename)s:%(lineno)d] %(message)s"


def get_logger(name: str, level: int = logging.INFO, filename: Path | None = None) -> logging.Logger:
    """Return a logger, and give the root logger a handler on stderr; with a file name, one on that file as well."""
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if filename is not None:
        handlers.append(logging.FileHandler(filename))
    logging.basicConfig(level=level, format=LOG_FORMAT, handlers=handlers)
    logger = logging.getLogger(name)
    logger.setLevel(level)
    return logger


def read_csv(*args: Any, **kwargs: Any) -> pd.DataFrame:
    """Read a CSV file as version v1 of every task does; an empty file gives an empty data frame and a warning."""
    from mlebench.ground.tables import read_csv as read

    frame = read(*args, **kwargs)
    if frame.empty and not len(frame.columns):
        logging.getLogger(__name__).warning("The CSV file is empty.")
    return frame


def read_jsonl(file_path: str | Path, skip_commented_out_lines: bool = False) -> list[dict[str, Any]]:
    """Read a file with one JSON object per line; blank lines are skipped."""
    return _read_jsonl(Path(file_path), skip_comments=skip_commented_out_lines)


def load_yaml(path: Path) -> Any:
    """Read a YAML file; no objects but plain values are built."""
    return yaml.safe_load(Path(path).read_bytes())


def extract(archive: Path, dst: Path, recursive: bool = False) -> None:
    """Unpack a zip, 7z or tar archive, or a gzip file. Existing files are replaced.

    Parameters
    ----------
    archive
        The archive.
    dst
        Folder to unpack to; it is made.
    recursive
        Whether zip archives inside are unpacked as well, each into its own folder.

    Raises
    ------
    ArchiveError
        The archive is damaged or unsafe, or archives are nested too deeply: some contain themselves.
    """
    from mlebench.errors import ArchiveError
    from mlebench.preparation.archives import extract as unpack
    from mlebench.preparation.archives import opened
    from mlebench.preparation.formats import merging, unpack_archive
    from mlebench.preparation.inventory import Inventory

    archive = Path(archive)
    inventory, depth = Inventory(archive), 0
    with merging(Path(dst)) as scratch:  # the folder may hold other archives, this one among them
        unpack_archive(archive, scratch)
        while recursive and (inner := [path for path in scratch.rglob("*.zip") if path.is_file()]):
            depth += 1
            if depth > MAX_NESTING:
                raise ArchiveError(f"The archive {archive.name} nests archives in more than {MAX_NESTING} layers.")
            for path in inner:
                outer = path.rename(path.with_name(f"{path.name}.outer"))  # it may hold a file of the same name
                with opened(outer) as file:
                    for member in file.infolist():
                        inventory.count(member.file_size)
                unpack(outer, path.parent)
                outer.unlink()


def compress(src: Path, compressed: Path, exist_ok: bool = False) -> None:
    """Pack a file or folder into a zip archive."""
    src, compressed = Path(src), Path(compressed)
    if not src.exists():
        raise FileNotFoundError(f"There is nothing to pack at {src}.")
    if compressed.exists() and not exist_ok:
        raise FileExistsError(f"The archive {compressed} exists already.")
    base = src if src.is_dir() else src.parent
    shutil.make_archive(str(compressed.with_suffix("")), "zip", base, "." if src.is_dir() else src.name)


def is_compressed(path: Path) -> bool:
    """Whether a name ends as those of archives do."""
    return Path(path).suffix in {".zip", ".tar", ".gz", ".tgz", ".tar.gz", ".rar", ".7z"}


def is_empty(directory: Path) -> bool:
    """Whether a folder is empty."""
    return not any(Path(directory).iterdir())


def in_ci() -> bool:
    """Whether this process runs in GitHub Actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def purple(text: str) -> str:
    """Return text in purple for terminals, the color of links."""
    return f"\033[1;38;5;93m{text}\033[0m"


def get_module_dir() -> Path:
    """Return the folder of the package `mlebench`."""
    return Path(__file__).resolve().parent


def get_repo_dir() -> Path:
    """Return the root of the repository, or the parent of the package if it is installed."""
    parent = get_module_dir().parent
    return parent.parent if parent.name == "src" else parent


def get_runs_dir() -> Path:
    """Return the folder `runs` in the root of the repository."""
    return get_repo_dir() / "runs"


def generate_run_id(competition_id: str, agent_id: str, run_group: str | None = None) -> str:
    """Return a new run id: the competition's id, `_`, and a random part."""
    return f"{competition_id}_{uuid.uuid4()}"


def create_run_dir(
    competition_id: str | None = None, agent_id: str | None = None, run_group: str | None = None
) -> Path:
    """Create a folder for a run, in the folder of its group if there is one; it must not exist yet."""
    if run_group is None:
        folder = get_runs_dir() / f"{get_timestamp()}_{competition_id}_{agent_id}"
    else:
        if competition_id is None or agent_id is None:
            raise UsageError("A run of a group needs the ids of its competition and its agent.")
        folder = get_runs_dir() / run_group / generate_run_id(competition_id, agent_id, run_group)
    folder.mkdir(parents=True)
    return folder


def authenticate_kaggle_api() -> Any:
    """Return an authenticated client of the package `kaggle`, or raise PermissionError."""
    try:
        import kaggle  # type: ignore[import-not-found]
    except ImportError as error:
        raise PermissionError("The package 'kaggle' is not installed.") from error
    except SystemExit as error:
        raise PermissionError("There are no Kaggle credentials on this machine.") from error
    try:
        kaggle.api.authenticate()
    except (OSError, ValueError, SystemExit) as error:
        raise PermissionError(f"Kaggle refuses the credentials on this machine: {error}") from error
    return kaggle.api
