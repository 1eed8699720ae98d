"""Check a task's folder: prepare its data aside and try what must hold for every task."""

from __future__ import annotations

import tempfile
from pathlib import Path

from mlebench.battery import problems_of


def check_task(folder: Path) -> list[str]:
    """Return the problems of a competition's folder, one sentence each; empty if there are none.

    The data are prepared in a temporary folder: embedded ones, or those of `rehearsal.zip`.

    Parameters
    ----------
    folder : Path
        A folder with `competition.yaml`.

    See Also
    --------
    mlebench.battery.problems_of : the same with a folder of the caller's for the data.
    """
    with tempfile.TemporaryDirectory(prefix="mlebench-") as scratch:
        return problems_of(Path(folder).absolute(), Path(scratch))
