"""The folders of a job, made ready for the user that it runs as."""

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


def make_home(job: Job, user: int | None) -> None:
    """Make the writable folders and give them to a user; `None` is the harness's own.

    Raises:
        SandboxUnavailableError: another user could not read the job's data.
    """
    if user is not None and job.data.stat().st_mode & 0o005 != 0o005:
        raise SandboxUnavailableError(
            f"{job.data} is closed to the job's user, who is not root; run: chmod -R o+rX {shlex.quote(str(job.data))}"
        )
    for name in HOME_FOLDERS:
        (job.home / name).mkdir(parents=True, exist_ok=True)
        if user is not None:
            _give(job.home / name, user)


def _give(folder: Path, user: int) -> None:
    """Make the sandbox's user the owner of a folder and of all that is in it."""
    for _, folders, files, descriptor in os.fwalk(folder, follow_symlinks=False):
        os.fchown(descriptor, user, user)
        for name in [*folders, *files]:
            os.chown(name, user, user, dir_fd=descriptor, follow_symlinks=False)
    # bwrap changes into it when it is neither that user nor has root's rights any more.
    folder.chmod(stat.S_IMODE(folder.stat().st_mode) | 0o711)


def force_open(name: Path | bytes, flags: int, folder: int | None = None) -> int:
    """Open what a job has left, even where it took its own rights away; raises OSError.

    Root may open it anyway; without root's rights the harness is the job's own user, and can give them back.
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
    if stat.S_ISDIR(mode) and not mode & stat.S_IXUSR:  # without it, what is inside can be listed and not opened
        with suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(mode) | stat.S_IXUSR)
    return descriptor
