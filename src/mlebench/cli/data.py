from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.groups import Choice, Keeping, with_groups
from mlebench.cli.options import All, Jobs, Json
from mlebench.cli.output import console, print_json
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.grading.sample import Verified
    from mlebench.tasks.competition import Competition

app = typer.Typer(help="The competitions' data: what getting them takes, what is there, whether it is right.")


@app.callback(invoke_without_command=True)
def root(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(cls=Command)
@with_groups
def plan(
    *,
    choice: Choice,
    all_: All = False,
    keeping: Keeping,
    jobs: Jobs = 2,
    bandwidth: Annotated[
        float | None,
        typer.Option(min=0.001, help="MB a second of downloads; without it, what the last ones had, or else 20."),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not ask Kaggle for sizes and rules; declared sizes are taken.")
    ] = False,
    json: Json = False,
) -> None:
    """Say what preparing competitions takes: what is there, what is to be downloaded, disk, time, rules to accept.

    Exit code 1 says that it cannot start as it is; the reasons are printed.

    Example: mlebench data plan --split low --keep-raw
    """
    from mlebench.cli.data_plan import plan_data, show_plan

    found = plan_data(
        [choice.registry.get_competition(name) for name in choice.ids(all=all_)],
        choice.registry.get_data_dir(),
        keeping,
        jobs,
        offline=offline,
        bandwidth=bandwidth * 1e6 if bandwidth is not None else None,
    )
    if json:
        print_json({**found.model_dump(mode="json"), "pages": found.pages})
    else:
        show_plan(found, console())
    raise typer.Exit(1 if found.obstacles else 0)


@app.command(cls=Command)
@with_groups
def status(*, choice: Choice, json: Json = False) -> None:
    """Say what lies in the data directory and what it takes; without ids, of all competitions that have something.

    Raw data that share their bytes with prepared ones take nothing; `gain` is what removing raw data gives back.

    Example: mlebench data status
    """
    import dataclasses

    from rich.table import Table

    from mlebench.data.space import free_bytes
    from mlebench.data.storage import holding_of
    from mlebench.ground.wording import format_size

    rows = [holding_of(competition) for competition in _named_or_there(choice)]
    if not choice.names_some:
        rows = [row for row in rows if row.total or row.raw]
    place = choice.registry.get_data_dir()
    free, total = free_bytes(place), sum(row.total for row in rows)
    if json:
        held = [{**dataclasses.asdict(row), "total": row.total} for row in rows]
        print_json({"data_dir": str(place), "competitions": held, "total": total, "disk_free": free})
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("competition", no_wrap=True)
    table.add_column("prepared from")
    for name in ("prepared", "raw", "gain", "zip", "cut short"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        sizes = (row.prepared, row.raw, row.raw_alone, row.archive, row.partial)
        source = f"{row.source or 'nothing'}{', in use' if row.busy else ''}"
        table.add_row(row.label, source, *(format_size(size) if size else "" for size in sizes))
    out = console()
    if rows:
        out.print(table)
    out.print(f"{format_size(total)} in {place}, {format_size(free)} free.", soft_wrap=True)


@app.command(cls=Command)
@with_groups
def clean(
    *,
    raw: Annotated[bool, typer.Option("--raw", help="Remove unpacked raw data.")] = False,
    zips: Annotated[bool, typer.Option("--zips", help="Remove Kaggle's archives.")] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="Remove downloads and unpackings that were cut short.")
    ] = False,
    choice: Choice,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, and remove nothing.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Remove raw data and archives of what is not prepared yet, too.")
    ] = False,
    json: Json = False,
) -> None:
    """Remove what can be had again; prepared data stay, and so does what a process is working on.

    Example: mlebench data clean --raw --zips --dry-run
    """
    from mlebench.data.storage import Kind
    from mlebench.data.storage import clean as clean_data
    from mlebench.ground.wording import format_size

    wanted: dict[Kind, bool] = {"raw": raw, "zip": zips, "partial": partial}
    kinds = {kind for kind, chosen in wanted.items() if chosen}
    if not kinds:
        raise UsageError("Say what is to go: --raw, --zips or --partial; --dry-run shows what that would be.")
    homes = {each.raw_dir: each for each in reversed(_named_or_there(choice))}
    removals = [
        removal
        for competition in reversed(homes.values())
        for removal in clean_data(competition, kinds, dry_run=dry_run, force=force)
    ]
    gain = sum(removal.bytes for removal in removals if removal.kept is None)
    if json:
        found = [{**vars(removal), "path": str(removal.path)} for removal in removals]
        print_json({"dry_run": dry_run, "removed": found, "bytes": gain})
        return
    for removal in removals:
        verb = f"kept, {removal.kept}" if removal.kept else "would go" if dry_run else "removed"
        typer.echo(f"{removal.path}: {format_size(removal.bytes)}, {verb}")
    typer.echo(f"{format_size(gain)} {'would be' if dry_run else 'are'} free again.")


@app.command(cls=Command)
@with_groups
def verify(*, choice: Choice, all_: All = False, json: Json = False) -> None:
    """Compare prepared data with what they were when they were made, and with the record of the real files.

    Without ids, all that are prepared. The sample submission of real data is graded, and must get the score on
    record. Exit code 1 says that something differs; each line names the file, what differs and what it means.

    Example: mlebench data verify -c spaceship-titanic
    """
    from mlebench.grading.sample import verify_data

    competitions = _named_or_there(choice, prepared=True, all=all_)
    found = [verify_data(competition) for competition in competitions]
    if json:
        print_json([each.as_json() for each in found])
    else:
        for each in found:
            _show_verification(each)
        if not found:
            typer.echo(f"Nothing is prepared in {choice.registry.get_data_dir()}.")
    raise typer.Exit(0 if all(each.agrees for each in found) else 1)


def _named_or_there(choice: Choice, *, prepared: bool = False, **flags: bool) -> list[Competition]:
    """Return the competitions that the options name; without any, those with a folder in the data directory."""
    registry = choice.registry
    if choice.names_some or any(flags.values()):
        return [registry.get_competition(name) for name in choice.ids(**flags)]
    from mlebench.data import is_dataset_prepared

    known = registry.list_competition_ids()
    labels = [
        label
        for name in known
        if (registry.get_data_dir() / name).is_dir()
        for label in (name, *(f"{name}@{version}" for version in registry.get_declaration(name).versions))
    ]
    found = [registry.get_competition(label) for label in labels]
    if prepared:
        return [competition for competition in found if is_dataset_prepared(competition)]
    return [each for each in found if each.version == "v1" or is_dataset_prepared(each)]


def _show_verification(found: Verified) -> None:
    """Print what was found, a line a difference."""
    result = found.verification
    for difference in result.differences:
        typer.echo(f"{result.label}: {difference}.")
    if found.sample is not None:
        typer.echo(found.sample)
    if found.agrees:
        others = f", {result.files:,} files counted" if result.files is not None else ""
        typer.echo(
            f"{result.label}: {result.source} data, {result.tables} tables read{others}, "
            f"{result.on_record} compared with the record; everything agrees."
        )
