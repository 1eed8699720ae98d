"""Small helpers."""

from __future__ import annotations

from pathlib import Path

from mlebench.errors import UsageError
from mlebench.utils import (
    authenticate_kaggle_api,
    compress,
    extract,
    generate_run_id,
    get_logger,
    get_timestamp,
    import_fn,
    in_ci,
    is_compressed,
    is_empty,
    load_answers,
    load_yaml,
    purple,
    read_csv,
    read_jsonl,
)

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


def get_module_dir() -> Path:
    """Return the folder of this package."""
    return Path(__file__).resolve().parent


def get_repo_dir() -> Path:
    """Return the root of this tree."""
    return get_module_dir().parent


def get_runs_dir() -> Path:
    """Return the folder `runs` beside the package."""
    return get_repo_dir() / "runs"


def create_run_dir(
    competition_id: str | None = None, agent_id: str | None = None, run_group: str | None = None
) -> Path:
    """Create a new, empty folder for a run, inside its group's folder if there is one."""
    if run_group is None:
        folder = get_runs_dir() / f"{get_timestamp()}_{competition_id}_{agent_id}"
    elif competition_id is None or agent_id is None:
        raise UsageError("A run of a group needs the ids of its competition and its agent.")
    else:
        folder = get_runs_dir() / run_group / generate_run_id(competition_id, agent_id, run_group)
    folder.mkdir(parents=True)
    return folder
