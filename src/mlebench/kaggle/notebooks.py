"""Popular public notebooks of a competition: their names, and their sources in a cache folder.

Agents' code is compared with them to detect plagiarism.

CACHE/kernels/ID/OWNER__SLUG.ipynb (.py, .R, …)
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.errors import CompetitionUnavailableError, RateLimitError
from mlebench.ground.files import write_atomically
from mlebench.kaggle.client import KaggleClient
from mlebench.kaggle.errors import require_kaggle_competition
from mlebench.kaggle.models import SCRIPT_SUFFIXES
from mlebench.tasks.lookup import get_competition
from mlebench.tasks.registry import DEFAULT_DATA_DIR

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef

NAMES = "kernels.txt"
"""File in a competition's folder with one OWNER/SLUG per line."""
MISSING = "missing.json"
"""File in the cache: notebooks that Kaggle no longer provides, with its message."""
NAME = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class Kernels:
    """The popular public notebooks of a competition that a folder holds."""

    folder: Path
    notebooks: dict[str, Path]
    """The downloaded sources, by OWNER/SLUG."""
    missing: dict[str, str]
    """Kaggle's message for each notebook that it does not provide."""


def download_kernels(
    competition: Competition | TaskRef | str,
    output: Path | None = None,
    *,
    again: bool = False,
    progress: Callable[[str], object] | None = None,
    client: KaggleClient | None = None,
) -> Kernels:
    """Download the popular public notebooks of a competition; the same call resumes after any interruption.

    Parameters
    ----------
    competition
        A competition of Kaggle, or its id.
    output
        The folder for the sources; by default `mle-bench/kernels/ID` in the user's cache folder.
    again
        Download again what the folder has, and what Kaggle did not provide before.
    progress
        Called with the name of each notebook.
    client
        Sends the requests; by default a client with the user's credentials.

    Raises
    ------
    UsageError
        The competition's data are embedded, so Kaggle does not know it.
    KaggleError
        No notebook can be downloaded: rate limits, credentials, network.
    """
    competition = get_competition(competition)
    require_kaggle_competition(competition)
    folder = output or DEFAULT_DATA_DIR.parent / "kernels" / competition.id
    names = notebook_names(competition)
    missing = fetch_notebooks(client or KaggleClient(), names, folder, progress, again=again)
    return Kernels(folder, {name: path for name in names if (path := cached_path(folder, name))}, missing)


def notebook_names(competition: Competition) -> list[str]:
    """Return the names of a competition's popular public notebooks, OWNER/SLUG."""
    path = (competition.folder or competition.leaderboard.parent) / NAMES
    if not path.is_file():
        return []
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return list(dict.fromkeys(line for line in lines if NAME.fullmatch(line)))


def cached_path(folder: Path, name: str) -> Path | None:
    """Return the path of a notebook's source in a folder, or None."""
    stem = name.replace("/", "__")
    found = (folder / f"{stem}{suffix}" for suffix in (".ipynb", ".txt", *SCRIPT_SUFFIXES.values()))
    return next((path for path in found if path.is_file()), None)


def fetch_notebooks(
    client: KaggleClient,
    names: list[str],
    folder: Path,
    progress: Callable[[str], object] | None = None,
    *,
    again: bool = False,
) -> dict[str, str]:
    """Download the sources of notebooks into a folder; the same call resumes after any interruption.

    Parameters
    ----------
    client
        Downloads the notebooks.
    names
        OWNER/SLUG of each notebook.
    folder
        The cache folder; it is created if it does not exist.
    progress
        Called with each name.
    again
        Download again what the folder has, and what Kaggle did not provide before.

    Returns
    -------
    dict of str to str
        Kaggle's message for each notebook that it does not provide.

    Raises
    ------
    KaggleError
        No notebook can be downloaded: rate limits, credentials, network.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = {} if again else _read_missing(folder)
    try:
        for name in names:
            if progress is not None:
                progress(name)
            if name in missing or (cached_path(folder, name) and not again):
                continue
            try:
                notebook = client.kernel(name)
            except CompetitionUnavailableError as error:
                missing[name] = str(error)
                continue
            write_atomically(folder / f"{name.replace('/', '__')}{notebook.suffix}", notebook.source)
    except RateLimitError as error:
        done = sum(1 for name in names if cached_path(folder, name))
        raise RateLimitError(f"{str(error).rstrip('.')}; {done} of {len(names)} notebooks are downloaded.") from error
    finally:
        write_atomically(folder / MISSING, json.dumps(missing, indent=2, sort_keys=True) + "\n")
    return {name: reason for name, reason in missing.items() if name in names}


def _read_missing(folder: Path) -> dict[str, str]:
    try:
        return {str(name): str(reason) for name, reason in json.loads((folder / MISSING).read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        return {}
