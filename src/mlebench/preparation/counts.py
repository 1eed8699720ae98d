"""Fixed numbers of rows, which tiny rehearsal data override."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    from pathlib import Path

REHEARSAL_FILE = "rehearsal.json"


def fixed_count(raw: Path, name: str, default: int) -> int:
    """Return a number of rows: the task's own, or that of `rehearsal.json` in the raw data.

    Parameters
    ----------
    raw
        Folder of the raw data.
    name
        Key in `rehearsal.json`.
    default
        The number for real data.
    """
    return rehearsal_counts(raw).get(name, default)


def rehearsal_counts(raw: Path) -> dict[str, int]:
    """Return the numbers of `rehearsal.json`; empty without the file, RawDataError if it is wrong."""
    path = raw / REHEARSAL_FILE
    if not path.exists():
        return {}
    try:
        counts = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RawDataError(f"{REHEARSAL_FILE} in the raw data is not JSON: {error}.") from error
    if not isinstance(counts, dict) or not all(type(count) is int and count > 0 for count in counts.values()):
        raise RawDataError(f"{REHEARSAL_FILE} in the raw data must map names to positive integers.")
    return counts
