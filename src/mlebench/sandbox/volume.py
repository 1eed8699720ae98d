"""A file system of its own for the folders of a job.

On a file system of its own a job cannot write more than its size, in whatever way it holds its files: deleted and open,
mapped, in a message of a socket, or by a system call that does not return. It is an image of ext4 in a file without a
name, so nothing of it remains when it is unmounted. It takes as much of the disk as the job has written.

Only root can mount one. Otherwise the harness measures the job's folders, and the deleted files that it finds.
"""

from __future__ import annotations

import ctypes
import logging
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.sandbox.limits import GiB, MiB

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROGRAMS = ("losetup", "mkfs.ext4", "mount")
_HOSTS = ("ext4", "xfs", "btrfs")
"""File systems that can hold an image: they give back what a job deletes."""
_MIN_LIMIT, _MAX_LIMIT = 16 * MiB, 8192 * GiB
_FILE_BYTES = 4096
"""Size of a block, and bytes for each of which the file system has an inode: what a file counts as at least."""
_MNT_DETACH = 2
_SECONDS = 120.0
_log = logging.getLogger(__name__)


@contextmanager
def mounted_volume(folder: Path, limit: int | None) -> Iterator[bool]:
    """Create a folder, and mount a file system in it while the context lasts.

    Parameters
    ----------
    folder : Path
        The folder to create. Its parent holds the image for a moment.
    limit : int or None
        Bytes that a job may write. The file system is a little larger, so that a job that exceeds its limit is noticed.

    Yields
    ------
    bool
        Whether that worked. If not, the folder is a normal one.
    """
    folder.mkdir(exist_ok=True)
    is_mounted = False
    try:
        try:
            if limit is not None and _can_hold(folder, limit):
                _mount(folder, limit)
                is_mounted = True
        except (OSError, subprocess.SubprocessError) as error:
            _log.info("No file system of its own for %s: %s", folder, error)
        yield is_mounted
    finally:
        unmount_below(folder)


def unmount_below(folder: Path) -> None:
    """Unmount what is mounted at a folder or below it, such as by a harness that was killed."""
    top = folder.resolve()
    for line in reversed(Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines()):
        target = Path(re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), line.split()[4]))
        if target.is_relative_to(top) and os.geteuid() == 0:
            ctypes.CDLL(None).umount2(os.fsencode(target), _MNT_DETACH)


def is_volume(folder: Path) -> bool:
    """Return whether a folder is a file system of its own."""
    return folder.is_mount()


def _can_hold(folder: Path, limit: int) -> bool:
    """Return whether the disk has room for what a job may write, and is of a kind that can hold an image."""
    if os.geteuid() != 0 or not _MIN_LIMIT <= limit <= _MAX_LIMIT or not all(map(shutil.which, _PROGRAMS)):
        return False
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize > _image_bytes(limit) and _file_system_of(folder) in _HOSTS


def _image_bytes(limit: int) -> int:
    """Return the size of an image: inodes take a sixteenth of it."""
    return (limit + limit // 8 + 16 * MiB) // MiB * MiB


def _file_system_of(folder: Path) -> str:
    """Return the type of the file system that a folder is on, as /proc/self/mountinfo names it."""
    device = folder.stat().st_dev
    name = f"{os.major(device)}:{os.minor(device)}"
    for line in Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines():
        fields, _, rest = line.partition(" - ")
        if fields.split()[2] == name:
            return rest.split()[0]
    return ""


def _mount(folder: Path, limit: int) -> None:
    """Create an image and mount it; raise OSError or SubprocessError if that fails."""
    image = folder.with_name(f".{folder.name}.ext4")
    device = ""
    try:
        with image.open("xb") as file:
            file.truncate(_image_bytes(limit))
        features = ("-O", "^has_journal,^resize_inode", "-E", "lazy_itable_init=1,nodiscard")
        _call("mkfs.ext4", "-q", "-F", "-m", "0", "-b", str(_FILE_BYTES), "-i", str(_FILE_BYTES), *features, str(image))
        device = _call("losetup", "--find", "--show", "--direct-io=on", str(image))
        image.unlink()
        _call("mount", "-t", "ext4", "-o", "nosuid,nodev,noatime,discard", device, str(folder))
    finally:
        if device:
            _call("losetup", "--detach", device)  # takes effect when it is unmounted
        image.unlink(missing_ok=True)
    (folder / "lost+found").rmdir()


def _call(*command: str) -> str:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=_SECONDS
    )
    if done.returncode:
        raise OSError(f"{command[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()
