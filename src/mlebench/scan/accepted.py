"""Findings that a declaration accepts become notes."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from mlebench.scan.finding import Finding, Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.declaration import AcceptedFinding


def separate_accepted(findings: Sequence[Finding], competition: Competition) -> tuple[list[Finding], list[Note]]:
    """Return the findings that need attention, and notes on those that the declaration accepts.

    Parameters
    ----------
    findings : sequence of Finding
        What scanners found.
    competition : Competition
        The competition, in the version that was scanned.
    """
    accepted = competition.declaration.accepted_findings if competition.declaration else ()
    valid = [one for one in accepted if competition.version in one.versions]
    left, notes = [], []
    for finding in findings:
        reason = next((one.reason for one in valid if _covers(one, finding)), None)
        if reason is None:
            left.append(finding)
        else:
            notes.append(Note(finding=finding, reason=reason))
    return left, notes


def _covers(accepted: AcceptedFinding, finding: Finding) -> bool:
    """Return whether an entry names a finding: its scanner, and its file and column where the entry has them."""
    return (
        accepted.scanner == finding.scanner
        and (accepted.file is None or fnmatchcase(finding.file or "", accepted.file))
        and (accepted.column is None or accepted.column == finding.column)
    )
