"""`mlebench dev scan`: the command of `cli/dev.py`, and how it prints a scan."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

import typer

from mlebench.cli.output import console
from mlebench.ground.wording import count, printable

if TYPE_CHECKING:
    from mlebench.scan.finding import Finding
    from mlebench.scan.report import ScanReport

REPORT_SECONDS = 30.0
"""Between two lines about a long step, without a terminal."""


class LiveScan:
    """Shows on standard error how a scan proceeds: a ScanProgress and a context manager."""

    def __init__(self, label: str) -> None:
        self._console = console(stderr=True)
        self._label, self._scanner, self._files, self._told = label, "", 0, time.monotonic()

    def __enter__(self) -> Self:
        from rich.progress import Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), TimeElapsedColumn(), TextColumn("{task.fields[files]}"))
        self._bar = Progress(*columns, console=self._console, transient=True, disable=not self._console.is_terminal)
        self._task = self._bar.add_task(self._label, total=None, files="")
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def step(self, scanner: str) -> None:
        self._scanner, self._files = scanner, 0
        self._bar.reset(self._task, description=f"{self._label}: {scanner}", files="")
        if not self._console.is_terminal:
            self._console.print(f"{self._label}: {scanner}", soft_wrap=True)

    def advance(self, files: int) -> None:
        self._files += files
        if time.monotonic() - self._told >= (0.25 if self._console.is_terminal else REPORT_SECONDS):
            self._told = time.monotonic()
            self._bar.update(self._task, files=count(self._files, "file"))
            if not self._console.is_terminal:
                self._console.print(f"{self._label}: {self._scanner}, {count(self._files, 'file')}", soft_wrap=True)


def print_scan(report: ScanReport) -> None:
    """Print the findings, the notes and what could not be scanned."""
    for finding in report.findings:
        typer.echo(printable(f"{finding.scanner}: {finding.what}", limit=500))
        for line in (_numbers(finding), finding.remedy):
            typer.echo(printable(f"  {line}", limit=500))
    for note in report.notes:
        typer.echo(printable(f"accepted: {note.finding.scanner}: {note.finding.what} {note.reason}", limit=800))
    looked = sum(run.skipped is None for run in report.scanners)
    typer.echo(
        f"{report.label}: {count(report.findings, 'finding')} and {len(report.notes)} accepted, by "
        f"{count(looked, 'scanner')} on {count(report.test_items, 'test item')} ({report.source} data)."
    )
    for run in report.scanners:
        for text in filter(None, (run.skipped, *run.limits)):
            typer.echo(f"  {run.scanner}: {printable(text)}")


def _numbers(finding: Finding) -> str:
    details = {name: f"{value:.3g}" if isinstance(value, float) else value for name, value in finding.details.items()}
    more = "".join(f", {name} {value}" for name, value in details.items() if isinstance(value, (str, int)))
    return f"{finding.number:.3g} (threshold {finding.threshold:.3g}){more}: {finding.file or 'the task'}"
