"""Optional dependencies: the packages that each extra of mlebench installs.

A function that imports an optional package calls `require` first, so a missing package is reported with the command
that installs it. `tests/ground/test_extras.py` checks every such import.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from mlebench.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterable

TaskExtra = Literal["7z", "parquet"]
"""The extras that a competition may declare."""
Extra = Literal[TaskExtra, "kaggle", "models", "scan"]
PACKAGES: dict[Extra, tuple[str, ...]] = {
    "7z": ("py7zr",),
    "kaggle": ("kagglesdk", "requests", "urllib3"),
    "models": ("h11", "httpx"),
    "parquet": ("pyarrow",),
    "scan": ("datasketch", "imagehash", "pydicom"),
}


def missing(extras: Iterable[Extra]) -> list[Extra]:
    """Return the extras that lack a package; nothing is imported."""
    return [extra for extra in extras if _missing_package(extra) is not None]


def require(*extras: Extra) -> None:
    """Raise MissingExtraError for the first extra that lacks a package; nothing is imported."""
    for extra in extras:
        package = _missing_package(extra)
        if package is not None:
            raise MissingExtraError(package, extra)


def _missing_package(extra: Extra) -> str | None:
    return next((package for package in PACKAGES[extra] if find_spec(package) is None), None)
