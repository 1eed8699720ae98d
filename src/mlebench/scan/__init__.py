"""Scanners that look for leaks in prepared data: `mlebench dev scan TASK`.

scan         run the scanners on a task
material     what scanners look at; files, tables, targets: its parts
chance       statistics beside what permuted answers give
finding      what a scanner reports; report, page, accepted: what becomes of it

Each scanner is a function that takes the material and yields findings; `SCANNERS` lists them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlebench.scan.finding import Finding
    from mlebench.scan.material import Material

Scanner = Callable[["Material"], Iterator["Finding"]]


def _lazy(name: str) -> Scanner:
    """Return the function `scan_NAME` of the module NAME, which is imported at the first call."""

    def scan(material: Material) -> Iterator[Finding]:
        function: Scanner = getattr(importlib.import_module(f"mlebench.scan.{name}"), f"scan_{name}")
        return function(material)

    return scan


SCANNERS: dict[str, Scanner] = {
    name: _lazy(name)
    for name in (
        "metadata",
        "copies",
        "near_copies",
        "groups",
        "labels",
        "columns",
        "order",
        "origin",
        "headers",
        "sample",
        "grader",
        "power",
    )
}
"""The scanners in the order in which they run."""
