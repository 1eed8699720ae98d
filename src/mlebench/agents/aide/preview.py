"""The description of the data that AIDE gives the model: the package's own, within limits.

The package lists every folder, describes every table, and fails at one that it cannot read. Competitions have
thousands of both, and files that are not what their names say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import humanize
from aide.utils import data_preview

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MAX_FOLDERS = 8
"""Folders of the top folder that are described; each level below has half as many."""
MANY_FILES, FEW_FILES = 30, 4
"""A folder with more than `MANY_FILES` files shows only `FEW_FILES` of them."""
MAX_BYTES = 1 << 30
"""Size of a table that is read in full."""
MAX_CHARACTERS = 20_000
"""Length of the whole text: about 5,000 tokens."""
_EXCERPT_CHARACTERS = 300


def limit_preview() -> None:
    """Replace the package's functions that describe data with limited ones."""
    generate = data_preview.generate
    data_preview.file_tree, data_preview._walk = _tree, _walk
    data_preview.get_file_len_size = _with_size_fallback(data_preview.get_file_len_size)
    data_preview.preview_csv = _with_excerpt_fallback(data_preview.preview_csv)
    data_preview.preview_json = _with_excerpt_fallback(data_preview.preview_json)
    data_preview.generate = lambda *arguments, **options: _shorten(generate(*arguments, **options))


@dataclass(frozen=True)
class _Listing:
    """The content of a folder."""

    files: list[Path]
    folders: list[Path]
    """Folders that are described."""
    other_folders: list[Path]


def _list(folder: Path, depth: int) -> _Listing:
    entries = sorted(folder.iterdir())
    files, folders = [path for path in entries if not path.is_dir()], [path for path in entries if path.is_dir()]
    limit = max(1, MAX_FOLDERS >> depth)
    return _Listing(files, folders[:limit], folders[limit:])


def _tree(folder: Path, depth: int = 0) -> str:
    listing, indent = _list(folder, depth), " " * 4 * depth
    shown = FEW_FILES if len(listing.files) > MANY_FILES else 2 * FEW_FILES
    lines = [f"{indent}{path.name} ({data_preview.get_file_len_size(path)[1]})" for path in listing.files[:shown]]
    if len(listing.files) > shown:
        lines.append(f"{indent}... and {len(listing.files) - shown} other files")
    for path in listing.folders:
        lines += [f"{indent}{path.name}/", _tree(path, depth + 1)]
    if listing.other_folders:
        lines.append(f"{indent}... and {len(listing.other_folders)} other folders")
    return "\n".join(lines)


def _walk(folder: Path, depth: int = 0) -> Iterator[Path]:
    listing = _list(folder, depth)
    yield from listing.files[: FEW_FILES if len(listing.files) > MANY_FILES else None]
    for path in listing.folders:
        yield from _walk(path, depth + 1)


def _with_size_fallback(measure: Callable[[Path], tuple[int, str]]) -> Callable[[Path], tuple[int, str]]:
    def call(path: Path) -> tuple[int, str]:
        try:
            return measure(path)
        except ValueError:  # not a text file
            return path.stat().st_size, humanize.naturalsize(path.stat().st_size)

    return call


def _with_excerpt_fallback(describe: Callable[..., str]) -> Callable[..., str]:
    def call(path: Path, name: str, **options: bool) -> str:
        try:
            if path.stat().st_size <= MAX_BYTES:
                return describe(path, name, **options)
        except Exception as error:  # noqa: BLE001 - tables go wrong in many ways
            reason = f"could not be read whole ({type(error).__name__})"
        else:
            reason = f"is large ({humanize.naturalsize(path.stat().st_size)})"
        with path.open(encoding="utf-8", errors="replace") as file:
            return f"-> {name} {reason}; it begins:\n{file.read(_EXCERPT_CHARACTERS)}"

    return call


def _shorten(text: str) -> str:
    half, excess = MAX_CHARACTERS // 2, len(text) - MAX_CHARACTERS
    return text if excess <= 0 else f"{text[:half]}\n... {excess} characters left out ...\n{text[-half:]}"
