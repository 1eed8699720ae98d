"""A disagreement between the files of a run or a group and its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from mlebench.errors import RunError
from mlebench.runs.untrusted import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Model = TypeVar("Model", bound=BaseModel)
_MAX_CHARACTERS = 300


class Finding(NamedTuple):
    """A disagreement between a file and the record."""

    path: str
    """Relative to the folder that was checked; characters that are not printable are escaped."""
    text: str
    """One sentence."""


def find(path: str, text: str) -> Finding:
    """Return a finding; names and texts may be hostile."""
    return Finding(_shown(path), _shown(text))


def below(folder: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings in a folder with their paths from the folder above."""
    for path, text in findings:
        yield find(f"{folder}/{path}" if path else folder, text)


def read_model(path: Path, model: type[Model], max_bytes: int) -> tuple[Model, bytes]:
    """Return a record and its file's content; RunError if the file is not that record."""
    content = read_file(path, max_bytes)
    try:
        return model.model_validate_json(content), content
    except (ValidationError, ValueError, RecursionError) as error:
        raise RunError(f"It is damaged ({_shown(str(error).partition(chr(10))[0])}).") from None


def _shown(text: str) -> str:
    shown = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)
    return shown if len(shown) <= _MAX_CHARACTERS else shown[:_MAX_CHARACTERS] + " …"
