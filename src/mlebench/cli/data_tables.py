"""Printing what is known of data: plans, the content of the data directory, removals, and verifications."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from mlebench.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mlebench.data.cleaning import Cleanup
    from mlebench.data.plan import DataPlan
    from mlebench.data.status import DataStatus
    from mlebench.grading.datasets import VerifiedData


def print_plan(plan: DataPlan) -> None:
    """Print a row for each competition, the totals, and the obstacles."""
    from rich.table import Table

    from mlebench.data.estimate import State
    from mlebench.ground.wording import format_short_duration, format_size

    out, table = console(), Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("competition", no_wrap=True)
    table.add_column("data")
    for name in ("download", "peak", "stays", "time"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("rules")
    for row in plan.rows:
        about = "about " if row.size_is == "declared" else ""
        cells = [
            about + format_size(row.download) if row.download else "",
            format_size(row.peak) if row.peak else "",
            _signed_size(row.stays),
            format_short_duration(row.seconds) if row.seconds >= 1 else "",
        ]
        if row.size_is == "unknown" and row.state is State.DOWNLOAD:
            cells = ["?"] * len(cells)
        table.add_row(row.competition, row.state, *cells, row.rules)
    out.print(table)
    rate = f"{plan.bandwidth / 1e6:.3g} MB/s {plan.bandwidth_is}"
    for line in (
        f"To download: {format_size(plan.download)}, at {rate}.",
        f"Disk: {format_size(plan.disk_peak)} at the peak with {plan.jobs} at a time, {format_size(plan.disk_stays)} "
        f"afterwards; {format_size(plan.disk_free)} are free in {plan.data_dir}.",
        f"Time: about {format_short_duration(plan.seconds)}.",
        "Ready to start." if not plan.obstacles else "Cannot start:",
    ):
        out.print(line, soft_wrap=True)
    for obstacle in plan.obstacles:
        out.print(f"- {obstacle}", soft_wrap=True)
    for page in plan.pages:
        out.print(f"  {page}", soft_wrap=True)


def print_status(status: DataStatus) -> None:
    """Print a row for each competition, and the total."""
    from rich.table import Table

    from mlebench.ground.wording import format_size

    out, table = console(), Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("competition", no_wrap=True)
    table.add_column("prepared from")
    for name in ("prepared", "raw", "gain", "zip", "partial"):
        table.add_column(name, justify="right", no_wrap=True)
    for stored in status.competitions:
        sizes = (stored.prepared, stored.raw, stored.raw_alone, stored.archive, stored.partial)
        source = f"{stored.source or 'nothing'}{', in use' if stored.busy else ''}"
        table.add_row(stored.label, source, *(format_size(size) if size else "" for size in sizes))
    if status.competitions:
        out.print(table)
    used, free = format_size(status.total), format_size(status.disk_free)
    out.print(f"{used} in {status.data_dir}, {free} free.", soft_wrap=True)


def print_cleanup(cleanup: Cleanup) -> None:
    """Print a line for each file or folder, and the space that is freed."""
    from mlebench.ground.wording import format_size

    for removal in cleanup.removals:
        verb = f"kept, {removal.kept}" if removal.kept else "would be removed" if cleanup.dry_run else "removed"
        typer.echo(f"{removal.path}: {format_size(removal.bytes)}, {verb}")
    typer.echo(f"{format_size(cleanup.freed)} {'would be ' if cleanup.dry_run else ''}freed.")


def print_verifications(found: Sequence[VerifiedData], data_dir: Path) -> None:
    """Print a line for each difference, or for each competition without one."""
    for verified in found:
        _print_verification(verified)
    if not found:
        typer.echo(f"Nothing is prepared in {data_dir}.")


def _print_verification(verified: VerifiedData) -> None:
    from mlebench.ground.wording import count

    result = verified.verification
    for difference in result.differences:
        typer.echo(f"{result.label}: {difference}.")
    if verified.sample is not None:
        typer.echo(verified.sample)
    if verified.agrees:
        others = f", {count(result.files, 'file')} counted" if result.files is not None else ""
        typer.echo(
            f"{result.label}: {result.source} data, {count(result.tables, 'table')} read{others}, "
            f"{result.on_record} compared with the record; everything agrees."
        )


def _signed_size(size: int) -> str:
    from mlebench.ground.wording import format_size

    return "" if size == 0 else format_size(size) if size > 0 else f"-{format_size(-size)}"
