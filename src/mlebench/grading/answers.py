"""Read answers, and files with one JSON object per line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mlebench.errors import DeclarationError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def load_answers(path: Path, *, text: Iterable[str] = ()) -> Any:
    """Read a file of answers: a data frame for `.csv`, a list of objects for `.jsonl`; `text` is as in `read_csv`.

    Raises
    ------
    DeclarationError
        The name has another suffix. It is a ValueError as well.
    """
    if path.suffix == ".csv":
        from mlebench.ground.tables import read_csv

        return read_csv(path, text=text)
    if path.suffix == ".jsonl":
        return read_jsonl(path)
    raise DeclarationError(f"Answers must be a .csv or .jsonl file, not {path.name!r}.")


def read_jsonl(path: Path, *, skip_comments: bool = False) -> list[dict[str, Any]]:
    """Read a file with one JSON object per line.

    Parameters
    ----------
    path
        A file in UTF-8. Blank lines are skipped.
    skip_comments
        Whether lines that begin with `#` or `//` are skipped.

    Raises
    ------
    UsageError
        A line is not JSON, or the file is not UTF-8.
    """
    return list(iterate_jsonl(path, skip_comments=skip_comments))


def iterate_jsonl(path: Path, *, skip_comments: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the objects that `read_jsonl` returns, one at a time."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                text = line.strip()
                if not text or (skip_comments and text.startswith(("#", "//"))):
                    continue
                try:
                    yield json.loads(text)
                except json.JSONDecodeError as error:
                    raise UsageError(f"Line {number} of {path} is not JSON: {error.msg}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text: {error.reason}.") from error
