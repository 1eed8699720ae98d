from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.options import DataDir, Folders, Json, open_registry
from mlebench.cli.output import print_result
from mlebench.ground.wording import count, printable

if TYPE_CHECKING:
    from mlebench.scan.finding import Finding
    from mlebench.scan.report import ScanReport


def scan(
    competition_id: Annotated[str, typer.Argument(metavar="TASK", help="A competition's id, such as my-task@v2.")],
    only: Annotated[
        list[str] | None, typer.Option(help="Name of a scanner, such as copies; may be repeated. By default all.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write a page with the findings and pictures of copies.")] = None,
    rehearsal: Annotated[bool, typer.Option("--rehearsal", help="Scan rehearsal data, prepared aside.")] = False,
    data_dir: DataDir = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Look for leaks in the prepared data of a competition; exit code 1 if there are findings.

    Findings that the declaration accepts (`accepted_findings`) do not count. docs/scanning.md explains the scanners.

    Example: mlebench dev scan spaceship-titanic --rehearsal
    """
    import mlebench
    from mlebench.cli.scan_progress import LiveScan

    competition = open_registry(data_dir, folder).get_competition(competition_id)
    with LiveScan(competition.label) as progress:
        report = mlebench.scan_task(competition, only=only or (), rehearsal=rehearsal, out=out, progress=progress)
    print_result(report, print_scan, json=json)
    raise typer.Exit(1 if report.findings else 0)


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
