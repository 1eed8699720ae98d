"""Placing files into a prepared folder without copying their bytes."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def place_files(names: Iterable[str], source: Path, target: Path) -> int:
    """Put the named files of one folder into another by hard links; returns how many there were.

    Where the file system forbids links, files are copied. Never write into a placed file afterwards: it
    shares its bytes with the source.
    """
    target.mkdir(parents=True, exist_ok=True)
    from_folder, to_folder = os.fspath(source), os.fspath(target)
    count = 0
    for count, name in enumerate(names, start=1):  # noqa: B007
        try:
            os.link(f"{from_folder}/{name}", f"{to_folder}/{name}")
        except FileNotFoundError:
            raise RawDataError(f"The raw data lack the file {name} in {source.name}/.") from None
        except FileExistsError:
            raise RawDataError(f"The raw data name the file {name} of {source.name}/ twice.") from None
        except OSError:
            shutil.copyfile(f"{from_folder}/{name}", f"{to_folder}/{name}")
    return count
