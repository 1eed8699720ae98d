"""Place files into a prepared folder, most without copying their bytes."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    import pandas as pd


def place_files(
    names: Iterable[str] | Mapping[str, str],
    source: Path,
    target: Path,
    change: Callable[[bytes], bytes] | None = None,
) -> int:
    """Link files of one folder into another; where the file system has no hard links, copy them.

    Never write into a placed file: it shares its bytes with the source. Paths are joined as text, which takes two
    thirds of the time of `pathlib`.

    Parameters
    ----------
    names
        Names of the files below `source`, with `/` after sub-folders; a mapping gives the name below `target` as well.
    source, target
        Folders; the second is made.
    change
        Changes the content of each file, such as `cut_jpeg_metadata`; files are then written instead of linked.

    Returns
    -------
    int
        The number of files.

    Raises
    ------
    RawDataError
        A file is missing, or named twice.
    """
    from_folder, to_folder = os.fspath(source), os.fspath(target)
    pairs = list(names.items()) if isinstance(names, Mapping) else [(name, name) for name in names]
    for folder in {"", *(new_name.rpartition("/")[0] for _, new_name in pairs)}:
        (target / folder).mkdir(parents=True, exist_ok=True)
    place = _link if change is None else functools.partial(_write_changed, change=change)
    for name, new_name in pairs:
        try:
            place(f"{from_folder}/{name}", f"{to_folder}/{new_name}")
        except FileNotFoundError:
            raise RawDataError(f"The raw data lack the file {name} in {source.name}/.") from None
        except FileExistsError:
            raise RawDataError(f"The raw data name the file {name} of {source.name}/ twice.") from None
    return len(pairs)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except (FileNotFoundError, FileExistsError):
        raise
    except OSError:
        shutil.copyfile(source, target)


def _write_changed(source: str, target: str, change: Callable[[bytes], bytes]) -> None:
    content = change(Path(source).read_bytes())
    with Path(target).open("xb") as file:
        file.write(content)


def place_by_folder(
    files: pd.Series[str], folders: pd.Series[Any], source: Path, target: Path, *, flat: bool = False
) -> int:
    """Place files that lie in folders below `source` into the same folders below `target`.

    Parameters
    ----------
    files, folders
        Columns of one data frame: the name of each file, and that of its folder.
    source, target
        Folders; the second is made.
    flat
        Whether all files are placed in `target` itself.

    Returns
    -------
    int
        The number of files.
    """
    return sum(
        place_files(names, source / str(folder), target if flat else target / str(folder))
        for folder, names in files.groupby(folders)
    )


def place_tree(source: Path, target: Path, without: Collection[str] = ()) -> int:
    """Place all files of a folder into another one, with sub-folders, empty ones included.

    Parameters
    ----------
    source, target
        Folders; the second is made.
    without
        Names of files to leave out, in every sub-folder.

    Returns
    -------
    int
        The number of files.
    """
    if not source.is_dir():
        raise RawDataError(f"The raw data lack the folder {source.name}/.")
    return sum(
        place_files(
            (name for name in files if name not in without), Path(folder), target / Path(folder).relative_to(source)
        )
        for folder, _, files in os.walk(source)
    )


def copy_lines(source: Path, target: Path, want: Callable[[bytes], bool]) -> int:
    """Copy the wanted lines of a text file, byte by byte.

    Parameters
    ----------
    source, target
        Files; the folder of the second is made.
    want
        Called with each line, its end included; returns whether to copy it.

    Returns
    -------
    int
        The number of lines that were left out.

    Raises
    ------
    RawDataError
        The source is missing.
    """
    if not source.is_file():
        raise RawDataError(f"The raw data lack the file {source.name}.")
    target.parent.mkdir(parents=True, exist_ok=True)
    left_out = 0
    with source.open("rb") as lines, target.open("xb") as copy:
        for line in lines:
            if want(line):
                copy.write(line)
            else:
                left_out += 1
    return left_out
