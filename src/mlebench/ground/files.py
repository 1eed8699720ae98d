"""Open and write files safely, measure folders, and find the home folder."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
"""Error numbers for a full disk or an exhausted quota."""
MACHINE_FAILURES = frozenset(
    {*DISK_FULL, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ESTALE}
)
"""Error numbers of this machine's failures; what somebody leaves in a folder never causes them."""
READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""Flags that open a file without following a link or waiting for the other end of a pipe."""
_KINDS = {
    stat.S_IFREG: "a regular file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
}


class NotRegularError(OSError):
    """Raised when a regular file is needed and something else is there.

    Attributes
    ----------
    kind : str
        What is there, such as `a folder`.
    """

    def __init__(self, kind: str, path: object = None) -> None:
        super().__init__(errno.EINVAL, f"not a regular file, but {kind}", path)
        self.kind = kind


class UnwritableError(OSError):
    """Raised when a place of our own cannot be written: a failure of this machine, whatever its number."""


def is_machine_failure(error: BaseException) -> bool:
    """Return whether an error is a failure of this machine, such as a full disk."""
    return isinstance(error, UnwritableError) or (isinstance(error, OSError) and error.errno in MACHINE_FAILURES)


def kind_of_file(mode: int) -> str:
    """Return what a file is, from its mode: `a regular file`, `a folder`, `a symbolic link` and so on."""
    return _KINDS.get(stat.S_IFMT(mode), "something unknown")


def open_regular(path: Path, *, opener: Callable[[Path, int], int] = os.open) -> BufferedReader:
    """Open a regular file that somebody else may have put there, for reading.

    No link is followed, no pipe is waited for, and no device is opened.

    Parameters
    ----------
    path
        The file.
    opener
        Opens it; called with the path and flags.

    Raises
    ------
    NotRegularError
        Something else is there.
    OSError
        It does not exist or cannot be opened.
    """
    # Opening a device can have effects, so look first. Then look at what was really opened.
    if not stat.S_ISREG(mode := os.lstat(path).st_mode):
        raise NotRegularError(kind_of_file(mode), str(path))
    descriptor = opener(path, READ_FLAGS)
    try:
        if not stat.S_ISREG(mode := os.fstat(descriptor).st_mode):
            raise NotRegularError(kind_of_file(mode), str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def home_folder() -> Path:
    """Return the home folder of the user; `/` for accounts without one, which containers may have."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file in one step: readers, and crashes, never leave or see a part of it."""
    data = content.encode() if isinstance(content, str) else content
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)  # noqa: PTH101
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # the error of a write does not name the file
        raise


def folder_size(folder: Path, *, open_to_all: bool = False) -> tuple[int, int]:
    """Return the number of files below a folder, and the sum of their sizes in bytes.

    With `open_to_all`, folders get mode 755 and regular files become readable for all users; links do not change.
    """
    count = size = 0
    for root, _, names in os.walk(folder):
        if open_to_all:
            Path(root).chmod(0o755)
        for name in names:
            path = f"{root}/{name}"
            facts = os.lstat(path)
            count, size = count + 1, size + facts.st_size
            if open_to_all and stat.S_ISREG(facts.st_mode) and facts.st_mode & 0o444 != 0o444:
                Path(path).chmod(stat.S_IMODE(facts.st_mode) | 0o444)
    return count, size
