"""Findings: what a scanner reports about a task."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Pair(BaseModel):
    """Two public files that a finding compares, as the page shows them."""

    model_config = ConfigDict(frozen=True)

    test: str
    """Path below `public`; a member of an archive is `ARCHIVE!MEMBER`."""
    other: str


class Finding(BaseModel):
    """Something in prepared data that may tell answers, or make a score mean less than it seems to.

    A scanner reports it only if `number` is beyond `threshold`.
    """

    model_config = ConfigDict(frozen=True)

    scanner: str
    what: str
    """One sentence."""
    number: float
    threshold: float
    file: str | None = None
    """The file or folder below `public`; None for the task as a whole."""
    column: str | None = None
    """The column, field or key, if the finding is about one."""
    remedy: str
    """What the task's author can do: one sentence."""
    details: dict[str, Any] = Field(default_factory=dict)
    """Further plain values, such as p-values and counts."""
    pairs: tuple[Pair, ...] = ()


class Note(BaseModel):
    """A finding that the declaration accepts."""

    model_config = ConfigDict(frozen=True)

    finding: Finding
    reason: str
    """Why it is accepted, from `accepted_findings`."""


class ScannerRun(BaseModel):
    """What one scanner did."""

    model_config = ConfigDict(frozen=True)

    scanner: str
    seconds: float
    skipped: str | None = None
    """Why it could not look at these data; None if it did."""
    limits: tuple[str, ...] = ()
    """What it left out to stay within time and memory, one sentence each."""


class NothingToScanError(Exception):
    """Raised by a scanner that finds nothing of its kind in a task, such as pictures; the text says what is missing."""
