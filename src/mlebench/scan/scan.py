"""Scan a prepared task for leaks: run the scanners, and turn accepted findings into notes."""

from __future__ import annotations

import logging
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from mlebench.data import prepare, require_prepared
from mlebench.data.manifest import data_source
from mlebench.errors import MLEBenchError, UnknownNameError
from mlebench.ground.files import write_atomically
from mlebench.scan import SCANNERS
from mlebench.scan.accepted import separate_accepted
from mlebench.scan.finding import Finding, NothingToScanError, ScannerRun
from mlebench.scan.material import Material
from mlebench.scan.report import ScanReport
from mlebench.tasks.competition import Competition
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry

logger = logging.getLogger(__name__)


class ScanProgress(Protocol):
    """Receives the steps of a scan."""

    def step(self, scanner: str) -> None:
        """A scanner begins."""

    def advance(self, files: int) -> None:
        """So many further files were read."""


class _NoProgress:
    def step(self, scanner: str) -> None: ...

    def advance(self, files: int) -> None: ...


def scan_task(
    competition: Competition | TaskRef | str,
    *,
    only: Sequence[str] = (),
    rehearsal: bool = False,
    out: Path | str | None = None,
    data_dir: Path | None = None,
    registry: Registry | None = None,
    progress: ScanProgress | None = None,
) -> ScanReport:
    """Look for leaks in the prepared data of a task: what tells answers that an agent should predict.

    Scanners know the answers. Each reports only what is beyond a threshold; docs/scanning.md explains all of them.

    Parameters
    ----------
    competition
        An id such as `spaceship-titanic` or `spaceship-titanic@v2`, or a competition.
    only
        Names of scanners; by default all.
    rehearsal
        Whether rehearsal data are prepared in a temporary folder and scanned, instead of the prepared data.
    out
        Where to write a page with all findings and pictures of copies; by default none is written.
    data_dir, registry
        Where the data are; see `get_competition`.
    progress
        Receives the steps.

    Returns
    -------
    ScanReport
        Findings, and notes: findings that the declaration accepts.

    Raises
    ------
    NotPreparedError
        The competition's data are not prepared.
    UnknownNameError
        There is no such competition or scanner.

    Examples
    --------
    >>> import mlebench
    >>> manifest = mlebench.prepare("demo-wine")
    >>> mlebench.scan_task("demo-wine", only=["copies"]).findings
    []
    """
    for name in only:
        if name not in SCANNERS:
            raise UnknownNameError("scanner", name, SCANNERS)
    found = get_competition(competition, data_dir=data_dir, registry=registry)
    if found.declaration is None:
        raise MLEBenchError(f"{found.label} has no declaration, so nothing is known of its ids and targets.")
    if not rehearsal:
        require_prepared(found)
        return _scan(found, only, out, progress if progress is not None else _NoProgress())
    with tempfile.TemporaryDirectory(prefix="mlebench-") as scratch:
        assert found.folder is not None
        bound = Competition.bind(found.folder, Path(scratch), found.version)
        prepare(bound, rehearsal=not bound.is_embedded)
        return _scan(bound, only, out, progress if progress is not None else _NoProgress())


def _scan(competition: Competition, only: Sequence[str], out: Path | str | None, progress: ScanProgress) -> ScanReport:
    material = Material(competition, progress.advance)
    runs, findings = [], []
    for name, scanner in SCANNERS.items():
        if only and name not in only:
            continue
        progress.step(name)
        began, skipped, material.limits = time.monotonic(), None, []
        try:
            findings += list(scanner(material))
        except NothingToScanError as reason:
            skipped = str(reason)
        seconds = round(time.monotonic() - began, 2)
        runs.append(ScannerRun(scanner=name, seconds=seconds, skipped=skipped, limits=tuple(material.limits)))
    findings, notes = separate_accepted(findings, competition)
    report = ScanReport(
        competition_id=competition.id,
        version=competition.version,
        source=data_source(competition),
        test_items=len(material.test),
        train_items=len(material.train) if material.train is not None else 0,
        public_files=len(material.files),
        scanners=runs,
        findings=sorted(findings, key=_order),
        notes=notes,
    )
    if out is not None:
        from mlebench.scan.page import scan_page

        write_atomically(Path(out), scan_page(report, material))
    return report


def _order(finding: Finding) -> tuple[int, float]:
    return list(SCANNERS).index(finding.scanner), -finding.number
