"""Reading files that someone may have replaced: by links, pipes, devices, or files without end.

A link is never followed and a pipe never waited for. What cannot be read raises a RunError, whose text is one sentence
without the path.
"""

from __future__ import annotations

import hashlib
import os
import stat
from enum import StrEnum
from typing import TYPE_CHECKING

from mlebench.errors import RunError
from mlebench.ground.wording import format_binary_size

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

MiB = 1024**2
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
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
        descriptor = os.open(path, _FILE)
    except OSError as error:
        raise RunError(_why(error, path)) from None
    except ValueError:
        raise RunError("Its name is not a file name.") from None
    facts = os.fstat(descriptor)
    problem = None
    if not stat.S_ISREG(facts.st_mode):
        problem = "It is not a regular file."
    elif facts.st_size > max_bytes:
        size, maximum = format_binary_size(facts.st_size), format_binary_size(max_bytes)
        problem = f"It has {size}, and at most {maximum} are possible."
    if problem:
        os.close(descriptor)
        raise RunError(problem)
    return os.fdopen(descriptor, "rb")


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
    if isinstance(error, FileNotFoundError):
        return "It is missing."
    if path.is_symlink():
        return "It is a symbolic link."
    if isinstance(error, NotADirectoryError):
        return "It is not a folder."
    return f"It cannot be read ({error.strerror})."
