"""The public notebooks of a competition that plagiarism is looked for in: their names, and their sources in the cache.

CACHE/kernels/ID/OWNER__SLUG.ipynb (.py, .R, …)
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from mlebench.errors import CompetitionUnavailableError, RateLimitError
from mlebench.ground.files import write_atomically
from mlebench.kaggle.facts import SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.kaggle.client import KaggleClient
    from mlebench.tasks.competition import Competition

NAMES = "kernels.txt"
"""In a competition's folder: OWNER/SLUG, one a line."""
MISSING = "missing.json"
"""In the cache: names of notebooks that Kaggle does not hand out any more, with what it says."""
NAME = re.compile(r"[\w.-]+/[\w.-]+")


def notebook_names(competition: Competition) -> list[str]:
    """Return the names of a competition's popular public notebooks; empty where there are none."""
    path = (competition.folder or competition.leaderboard.parent) / NAMES
    if not path.is_file():
        return []
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return list(dict.fromkeys(line for line in lines if NAME.fullmatch(line)))


def cached(folder: Path, name: str) -> Path | None:
    """Return where the source of a notebook lies in a folder, or None."""
    stem = name.replace("/", "__")
    found = (folder / f"{stem}{suffix}" for suffix in (".ipynb", ".txt", *SCRIPTS.values()))
    return next((path for path in found if path.is_file()), None)


def fetch_notebooks(
    client: KaggleClient,
    names: list[str],
    folder: Path,
    progress: Callable[[str], object] | None = None,
    *,
    again: bool = False,
) -> dict[str, str]:
    """Fetch the sources of notebooks into a folder and return those that cannot be had, with the reason.

    What is there is kept, and what Kaggle did not hand out before is not asked for, unless `again`; so the same call
    goes on after any interruption. `progress` is told each name. Raises KaggleError for what concerns all of them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = {} if again else _read_missing(folder)
    try:
        for name in names:
            if progress is not None:
                progress(name)
            if name in missing or (cached(folder, name) and not again):
                continue
            try:
                notebook = client.kernel(name)
            except CompetitionUnavailableError as error:
                missing[name] = str(error)
                continue
            write_atomically(folder / f"{name.replace('/', '__')}{notebook.suffix}", notebook.source)
    except RateLimitError as error:
        there = sum(1 for name in names if cached(folder, name))
        raise RateLimitError(f"{str(error).rstrip('.')}; {there} of {len(names)} notebooks are there.") from error
    finally:
        write_atomically(folder / MISSING, json.dumps(missing, indent=2, sort_keys=True) + "\n")
    return {name: reason for name, reason in missing.items() if name in names}


def _read_missing(folder: Path) -> dict[str, str]:
    try:
        return {str(name): str(reason) for name, reason in json.loads((folder / MISSING).read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        return {}
