"""What to do about an error of the operating system."""

from __future__ import annotations

import errno

from mlebench.ground.files import DISK_FULL, is_machine_failure

_NO_SPACE = (*DISK_FULL, errno.EROFS)
_NO_FILES = (errno.EMFILE, errno.ENFILE)
_BAD_PATH = (errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTEMPTY)


def find_remedy(error: OSError) -> str | None:
    """Return what to do about an error, in one sentence; None if it is not one that users can cause or fix."""
    if error.errno in _NO_SPACE:
        return "Free disk space or choose another folder, then repeat the command."
    if error.errno in _NO_FILES:
        return "Allow more open files (ulimit -n), then repeat the command."
    if error.errno in _BAD_PATH:
        return "Choose another path or fix this one, then repeat the command."
    if is_machine_failure(error):
        return "Look for the cause in the log of this machine (dmesg), then repeat the command."
    return None
