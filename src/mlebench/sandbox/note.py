"""The note that tells a job its time is nearly up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mlebench.sandbox.plan import NOTE

if TYPE_CHECKING:
    from pathlib import Path


def leave_note(home: Path, seconds: float, grace: float) -> bool:
    """Write the note into the `logs` of a job's home; tell whether that worked.

    The folder is the job's, so nothing in it is trusted: no link is followed and nothing is replaced.
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
        descriptor = os.open(NOTE, flags, 0o444, dir_fd=folder)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(descriptor, 0o444)  # whatever the umask is
            file.write(text)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(folder)
