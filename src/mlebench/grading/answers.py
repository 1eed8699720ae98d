"""Reading answers, and files with one JSON object a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mlebench.errors import DeclarationError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def load_answers(path: Path) -> Any:
    """Read an answers file: `.csv` gives a frame, `.jsonl` a list of objects; ValueError for anything else."""
    if path.suffix == ".csv":
        from mlebench.ground.tables import read_csv

        return read_csv(path)
    if path.suffix == ".jsonl":
        return read_jsonl(path)
    raise DeclarationError(f"Answers are .csv or .jsonl files, not {path.name!r}.")


def read_jsonl(path: Path, *, skip_comments: bool = False) -> list[dict[str, Any]]:
    """Read a file with one JSON object a line; blank lines, and comment lines if told so, are skipped."""
    return list(iterate_jsonl(path, skip_comments=skip_comments))


def iterate_jsonl(path: Path, *, skip_comments: bool = False) -> Iterator[dict[str, Any]]:
    """Yield what `read_jsonl` returns, one object at a time."""
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
        raise UsageError(f"{path} must be UTF-8 text, but a byte of it is not: {error.reason}.") from error
