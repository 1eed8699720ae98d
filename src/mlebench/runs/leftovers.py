"""The temporary files that a killed harness leaves in the folders of groups, runs and attempts.

Nothing reads them. They are removed when the group is opened again.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from mlebench.runs.layout import CURVE, DERIVED, GRADING_REPORT, LINKED, METADATA, OPTIONS, RUN, SUBMISSIONS, SUMS

if TYPE_CHECKING:
    from pathlib import Path

_WRITTEN = "|".join(
    re.escape(name) for name in (METADATA, OPTIONS, SUBMISSIONS, GRADING_REPORT, RUN, SUMS, CURVE, *DERIVED)
)
_FILE = re.compile(rf"\.({_WRITTEN})\.[a-z0-9_]{{8}}")
"""The temporary names of `ground.files.write_atomically`."""
_LINK = re.compile(rf"\.({'|'.join(re.escape(name) for name in LINKED)})\.link")


def is_leftover_file(name: str) -> bool:
    """Tell whether a name is that of a file before it gets its final name."""
    return _FILE.fullmatch(name) is not None


def is_leftover_link(name: str) -> bool:
    """Tell whether a name is that of a link before it gets its final name."""
    return _LINK.fullmatch(name) is not None


def sweep(folder: Path) -> None:
    """Remove leftovers from a folder; it need not exist."""
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208
            if is_leftover_file(name) or is_leftover_link(name):
                with suppress(OSError):
                    (folder / name).unlink()
