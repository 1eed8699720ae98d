"""The folders of a job, with the owner and the access that it needs."""

from __future__ import annotations

import os
import shlex
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox.paths import HOME_FOLDERS

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.sandbox.job import Job

_READ_FOLDER = stat.S_IROTH | stat.S_IXOTH


def is_closed(path: Path) -> bool:
    """Return whether other users cannot read a folder or list what is in it."""
    return path.stat().st_mode & _READ_FOLDER != _READ_FOLDER


def create_home(job: Job, user: int | None) -> None:
    """Create the writable folders of a job and give them to a user.

    Parameters
    ----------
    job : Job
        The job.
    user : int or None
        User id that the job runs as; None for the harness's own user.

    Raises
    ------
    SandboxUnavailableError
        If that user cannot read the job's data.
    """
    if user is not None and is_closed(job.data):
        raise SandboxUnavailableError(
            f"Jobs do not run as root and cannot read {job.data}. Run: chmod -R o+rX {shlex.quote(str(job.data))}"
        )
    for name in HOME_FOLDERS:
        (job.home / name).mkdir(parents=True, exist_ok=True)
        if user is not None:
            _change_owner(job.home / name, user)


def force_open(name: Path | bytes, flags: int, folder: int | None = None) -> int:
    """Open a file or folder of a job even if the job has removed its own permissions.

    Root may open it anyway. Without root's rights the harness is the job's own user, and can restore them.

    Parameters
    ----------
    name : Path or bytes
        What to open.
    flags : int
        As for `os.open`.
    folder : int, optional
        Descriptor of the folder that `name` is relative to.

    Returns
    -------
    int
        A file descriptor.

    Raises
    ------
    OSError
        If it cannot be opened.
    """
    try:
        descriptor = os.open(name, flags, dir_fd=folder)
    except PermissionError:
        handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        try:
            mode = os.fstat(handle).st_mode
            os.chmod(f"/proc/self/fd/{handle}", stat.S_IMODE(mode) | stat.S_IRUSR)  # noqa: PTH101
        finally:
            os.close(handle)
        descriptor = os.open(name, flags, dir_fd=folder)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode) and not mode & stat.S_IXUSR:  # without it, files inside can be listed but not opened
        with suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(mode) | stat.S_IXUSR)
    return descriptor


def _change_owner(folder: Path, user: int) -> None:
    """Make a user the owner of a folder and of everything in it."""
    for _, folders, files, descriptor in os.fwalk(folder, follow_symlinks=False):
        os.fchown(descriptor, user, user)
        for name in [*folders, *files]:
            os.chown(name, user, user, dir_fd=descriptor, follow_symlinks=False)
    # bubblewrap enters the folder when it is neither that user nor root any more.
    folder.chmod(stat.S_IMODE(folder.stat().st_mode) | 0o711)
