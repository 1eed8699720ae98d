"""Reading files that someone may have replaced: by links, pipes, devices, or files without end.

A link is never followed and a pipe never waited for. What cannot be read raises a RunError, whose text is one sentence
without the path. Failures of this machine are OSErrors.
"""

from __future__ import annotations

import hashlib
import os
from enum import StrEnum
from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.ground.files import NotRegularError, is_machine_failure, open_regular
from mlebench.ground.wording import format_binary_size

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

MiB = 1024**2
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Kind(StrEnum):
    """What a name in a folder stands for."""

    FILE = "a regular file"
    FOLDER = "a folder"
    LINK = "a symbolic link"
    OTHER = "a pipe, socket or device"


def open_file(path: Path, max_bytes: int) -> BufferedReader:
    """Open a regular file of at most `max_bytes` bytes; RunError if it is anything else."""
    try:
        file = open_regular(path)
    except OSError as error:
        raise RunError(_why(error, path)) from None
    except ValueError:
        raise RunError("Its name is not a file name.") from None
    size = os.fstat(file.fileno()).st_size
    if size > max_bytes:
        file.close()
        found, maximum = format_binary_size(size), format_binary_size(max_bytes)
        raise RunError(f"It has {found}, and at most {maximum} are possible.")
    return file


def read_file(path: Path, max_bytes: int) -> bytes:
    """Return the content of a regular file; RunError if it is anything else, or larger than `max_bytes`."""
    with open_file(path, max_bytes) as file:
        try:
            return file.read(max_bytes)
        except OSError as error:
            raise RunError(_why(error, path)) from None


def read_digest(path: Path, max_bytes: int) -> str:
    """Return the SHA-256 of a regular file; RunError if it is anything else, or larger than `max_bytes`."""
    with open_file(path, max_bytes) as file:
        try:
            return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise RunError(_why(error, path)) from None


def list_folder(path: Path) -> dict[str, Kind]:
    """Return what a folder contains, sorted by name; RunError if it is not a folder."""
    try:
        descriptor = os.open(path, _FOLDER)
    except OSError as error:
        raise RunError(_why(error, path)) from None
    except ValueError:
        raise RunError("Its name is not a file name.") from None
    try:
        with os.scandir(descriptor) as entries:
            return dict(sorted((entry.name, _kind(entry)) for entry in entries))
    except OSError as error:
        raise RunError(_why(error, path)) from None
    finally:
        os.close(descriptor)


def _kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return Kind.LINK
    if entry.is_dir(follow_symlinks=False):
        return Kind.FOLDER
    return Kind.FILE if entry.is_file(follow_symlinks=False) else Kind.OTHER


def _why(error: OSError, path: Path) -> str:
    """Return why a file cannot be read; raise a failure of this machine again."""
    if is_machine_failure(error):
        raise error
    if isinstance(error, FileNotFoundError):
        return "It is missing."
    if os.path.islink(path):  # noqa: PTH114 - Path.is_symlink raises for a name that is too long
        return "It is a symbolic link."
    if isinstance(error, NotRegularError):
        return "It is not a regular file."
    if isinstance(error, NotADirectoryError):
        return "It is not a folder."
    return f"It cannot be read ({error.strerror})."
