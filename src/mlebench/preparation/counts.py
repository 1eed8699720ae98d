"""Numbers of rows that a task fixes, and that tiny rehearsal data must be able to override."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    from pathlib import Path

REHEARSAL_FILE = "rehearsal.json"


def fixed_count(raw: Path, name: str, default: int) -> int:
    """Return a count by name: the task's own, or what `rehearsal.json` in the raw folder says instead."""
    return rehearsal_counts(raw).get(name, default)


def rehearsal_counts(raw: Path) -> dict[str, int]:
    """Return the counts of `rehearsal.json`, a JSON object of whole numbers; without the file there are none."""
    path = raw / REHEARSAL_FILE
    if not path.exists():
        return {}
    try:
        counts = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RawDataError(f"{REHEARSAL_FILE} in the raw data is not JSON: {error}.") from error
    if not isinstance(counts, dict) or not all(type(count) is int and count > 0 for count in counts.values()):
        raise RawDataError(f"{REHEARSAL_FILE} in the raw data must map names to positive whole numbers.")
    return counts
