"""The parts of a brief that only some versions of a task have.

Lines between `<!-- v1 -->` and `<!-- end -->` belong to v1 only, those after a further `<!-- v2 -->` to v2, and so on;
the marks stand alone on their lines. All other lines belong to every version.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.tasks.ref import Version

MARK = re.compile(r"<!-- *(v\d+|end) *-->\s*")
END = "end"


def read_brief(path: Path, version: Version) -> str:
    """Return the text of a brief for one version."""
    return select_version(path.read_text(encoding="utf-8"), version)


def select_version(text: str, version: Version) -> str:
    """Return the text of one version.

    Parameters
    ----------
    text
        A brief with marks.
    version
        The version whose lines are kept.

    Raises
    ------
    DeclarationError
        A part is not closed, or is closed twice.

    Examples
    --------
    >>> from mlebench.tasks.ref import Version
    >>> select_version("Rows\\n<!-- v1 -->\\nin order.\\n<!-- v2 -->\\nby id.\\n<!-- end -->\\n", Version.V2)
    'Rows\\nby id.\\n'
    """
    kept = []
    part = None
    for line in text.splitlines(keepends=True):
        mark = MARK.fullmatch(line)
        if mark is None:
            kept += [line] if part in (None, version) else []
        elif mark[1] != END:
            part = mark[1]
        elif part is None:
            raise DeclarationError("A brief closes a part that is not open.")
        else:
            part = None
    if part is not None:
        raise DeclarationError(f"A brief does not close its part for {part}.")
    return "".join(kept)
