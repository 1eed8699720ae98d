"""The optional dependencies that a competition may need, by the name of the extra that installs each."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from mlebench.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterable

Extra = Literal["7z", "parquet"]
PACKAGES: dict[Extra, str] = {"7z": "py7zr", "parquet": "pyarrow"}


def missing(extras: Iterable[Extra]) -> list[Extra]:
    """Return those that are not installed; nothing is imported."""
    return [extra for extra in extras if find_spec(PACKAGES[extra]) is None]


def require(extras: Iterable[Extra]) -> None:
    """Raise MissingExtraError for the first extra that is not installed."""
    for extra in missing(extras):
        raise MissingExtraError(PACKAGES[extra], extra)
