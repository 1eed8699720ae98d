"""The result of a scan."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.data import Source
from mlebench.scan.finding import Finding, Note, ScannerRun
from mlebench.tasks.ref import TaskRef, Version


class ScanReport(BaseModel):
    """What a scan found in the prepared data of a task; the output of `mlebench dev scan --json`."""

    model_config = ConfigDict(frozen=True)

    format_version: Literal[1] = 1
    competition_id: str
    version: Version
    source: Source
    """Where the data came from. Rehearsal data are small and synthetic: they lack most leaks of real data."""
    test_items: int
    train_items: int
    """Items of a public table with known answers; 0 if no such table was found."""
    public_files: int
    """Public files, and members of public archives."""
    scanners: list[ScannerRun]
    findings: list[Finding]
    notes: list[Note]
    """Findings that the declaration accepts."""

    @property
    def label(self) -> str:
        """The id, followed by `@` and the version unless that is v1."""
        return TaskRef(self.competition_id, self.version).label

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return self.model_dump(mode="json")
