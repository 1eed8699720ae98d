"""Placing files into a prepared folder without copying their bytes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    import pandas as pd


def place_files(names: Iterable[str] | Mapping[str, str], source: Path, target: Path) -> int:
    """Put the named files of one folder into another by hard links; returns how many there were.

    A mapping gives the files new names: from the name in `source` to that in `target`. Names may begin with
    sub-folders, with slashes behind them. Where the file system forbids links, files are copied. Never write into a
    placed file afterwards: it shares its bytes with the source.
    """
    from_folder, to_folder = os.fspath(source), os.fspath(target)
    pairs = list(names.items()) if isinstance(names, Mapping) else [(name, name) for name in names]
    for folder in {"", *(new_name.rpartition("/")[0] for _, new_name in pairs)}:
        (target / folder).mkdir(parents=True, exist_ok=True)
    for name, new_name in pairs:
        try:
            os.link(f"{from_folder}/{name}", f"{to_folder}/{new_name}")
        except FileNotFoundError:
            raise RawDataError(f"The raw data lack the file {name} in {source.name}/.") from None
        except FileExistsError:
            raise RawDataError(f"The raw data name the file {name} of {source.name}/ twice.") from None
        except OSError:
            shutil.copyfile(f"{from_folder}/{name}", f"{to_folder}/{new_name}")
    return len(pairs)


def place_by_folder(
    files: pd.Series[str], folders: pd.Series[Any], source: Path, target: Path, *, flat: bool = False
) -> int:
    """Put files that lie in folders below `source` into the same folders below `target`; returns how many.

    Both columns come from one frame: a file's name and the name of its folder. With `flat`, all files land in
    `target` itself.
    """
    return sum(
        place_files(names, source / str(folder), target if flat else target / str(folder))
        for folder, names in files.groupby(folders)
    )


def place_tree(source: Path, target: Path, without: Collection[str] = ()) -> int:
    """Put all files of a folder and its sub-folders into another folder, empty sub-folders too; returns how many.

    Files with the names in `without` are left out, in whatever sub-folder they lie.
    """
    if not source.is_dir():
        raise RawDataError(f"The raw data lack the folder {source.name}/.")
    return sum(
        place_files(
            (name for name in files if name not in without), Path(folder), target / Path(folder).relative_to(source)
        )
        for folder, _, files in os.walk(source)
    )
