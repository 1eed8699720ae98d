"""The file that warns a job that its time is nearly up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TIME_WARNING_FILE = "TIME_IS_NEARLY_UP.txt"
"""Name of the file in the job's `logs` folder."""


def write_time_warning(home: Path, seconds: float, grace: float) -> bool:
    """Write the warning into the `logs` folder of a job's home.

    The job controls that folder, so no link is followed and no file is replaced.

    Parameters
    ----------
    home : Path
        Folder that contains `logs`.
    seconds : float
        Seconds that are left.
    grace : float
        Seconds between SIGTERM and SIGKILL.

    Returns
    -------
    bool
        Whether the file was written.
    """
    text = (
        f"About {seconds:.0f} seconds are left. Put your best submission in place now.\n"
        f"At the end of the time you get SIGTERM, and {grace:g} seconds later everything is stopped.\n"
    )
    try:
        folder = os.open(home / "logs", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(TIME_WARNING_FILE, flags, 0o444, dir_fd=folder)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(descriptor, 0o444)  # independent of the umask
            file.write(text)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(folder)
