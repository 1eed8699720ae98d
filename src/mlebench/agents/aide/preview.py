"""What AIDE tells the model of the data: the package's own look at them, within bounds.

The package lists every folder and describes every table, and does no step at all where it cannot read one. Data of
competitions have thousands of both, and files that are not what their names say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import humanize
from aide.utils import data_preview

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MOST_FOLDERS = 8
"""Of the first folder, that are looked into; half as many of each one below, and so on."""
MANY_FILES, FEW_FILES = 30, 4
"""Of one folder with so many files, so few are told of."""
MOST_BYTES = 1 << 30
"""Of a table that is read whole."""
MOST_SIGNS = 20_000
"""Of the whole text: some 5,000 tokens."""
_BEGINNING = 300


def use_bounds() -> None:
    """Have the package look at the data within bounds."""
    generate = data_preview.generate
    data_preview.file_tree, data_preview._walk = _tree, _walk
    data_preview.get_file_len_size = _or_bytes(data_preview.get_file_len_size)
    data_preview.preview_csv = _or_beginning(data_preview.preview_csv)
    data_preview.preview_json = _or_beginning(data_preview.preview_json)
    data_preview.generate = lambda *arguments, **options: _cut(generate(*arguments, **options))


def _look(folder: Path, depth: int) -> tuple[list[Path], list[Path], list[Path]]:
    """Return a folder's files, those of its folders that are looked into, and the others."""
    entries = sorted(folder.iterdir())
    folders, within = [path for path in entries if path.is_dir()], max(1, MOST_FOLDERS >> depth)
    return [path for path in entries if not path.is_dir()], folders[:within], folders[within:]


def _tree(folder: Path, depth: int = 0) -> str:
    files, folders, others = _look(folder, depth)
    indent, told = " " * 4 * depth, FEW_FILES if len(files) > MANY_FILES else 2 * FEW_FILES
    lines = [f"{indent}{path.name} ({data_preview.get_file_len_size(path)[1]})" for path in files[:told]]
    lines += [f"{indent}... and {len(files) - told} other files"] * (len(files) > told)
    for path in folders:
        lines += [f"{indent}{path.name}/", _tree(path, depth + 1)]
    lines += [f"{indent}... and {len(others)} other folders"] * bool(others)
    return "\n".join(lines)


def _walk(folder: Path, depth: int = 0) -> Iterator[Path]:
    files, folders, _ = _look(folder, depth)
    yield from files[: FEW_FILES if len(files) > MANY_FILES else None]
    for path in folders:
        yield from _walk(path, depth + 1)


def _or_bytes(measure: Callable[[Path], tuple[int, str]]) -> Callable[[Path], tuple[int, str]]:
    def call(path: Path) -> tuple[int, str]:
        try:
            return measure(path)
        except ValueError:  # no text, whatever it is called
            return path.stat().st_size, humanize.naturalsize(path.stat().st_size)

    return call


def _or_beginning(describe: Callable[..., str]) -> Callable[..., str]:
    def call(path: Path, name: str, **options: bool) -> str:
        try:
            if path.stat().st_size <= MOST_BYTES:
                return describe(path, name, **options)
        except Exception as error:  # noqa: BLE001 - tables go wrong in many ways
            why = f"could not be read whole ({type(error).__name__})"
        else:
            why = f"is large ({humanize.naturalsize(path.stat().st_size)})"
        with path.open(encoding="utf-8", errors="replace") as file:
            return f"-> {name} {why}; it begins:\n{file.read(_BEGINNING)}"

    return call


def _cut(text: str) -> str:
    half, more = MOST_SIGNS // 2, len(text) - MOST_SIGNS
    return text if more <= 0 else f"{text[:half]}\n... {more} characters left out ...\n{text[-half:]}"
