from __future__ import annotations

from typing import Annotated

import typer

from mlebench.cli.command import Command
from mlebench.cli.grouping import with_groups
from mlebench.cli.groups import Choice
from mlebench.cli.options import All, Bandwidth, Jobs, Json, KeepRaw, KeepZip, Link
from mlebench.cli.output import print_json, print_result

app = typer.Typer(help="Competitions' data: what getting them takes, what is there, and whether it is right.")


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
    keep_raw: KeepRaw = False,
    keep_zip: KeepZip = False,
    link: Link = True,
    jobs: Jobs = 2,
    bandwidth: Bandwidth = None,
    offline: Annotated[bool, typer.Option("--offline", help="Use declared sizes; do not ask Kaggle.")] = False,
    json: Json = False,
) -> None:
    """Show what preparing competitions takes: what is there, downloads, disk, time, and rules to accept.

    The exit code is 1 if preparing cannot start; the reasons are printed.

    Example: mlebench data plan --split low --keep-raw
    """
    from mlebench.cli.data_tables import print_plan
    from mlebench.data import PrepareOptions, plan_data

    options = PrepareOptions(keep_raw=keep_raw, keep_zip=keep_zip, link=link)
    rate = bandwidth * 1e6 if bandwidth is not None else None
    found = plan_data(
        choice.ids(all=all_), options=options, jobs=jobs, bandwidth=rate, offline=offline, registry=choice.registry
    )
    print_result(found, print_plan, json=json)
    raise typer.Exit(1 if found.obstacles else 0)


@app.command(cls=Command)
@with_groups
def status(*, choice: Choice, json: Json = False) -> None:
    """Show what the data directory contains and how much disk it takes; by default for all competitions.

    Raw data that share their bytes with prepared ones take no space; `gain` is what removing raw data frees.

    Example: mlebench data status
    """
    from mlebench.cli.data_tables import print_status
    from mlebench.data import data_status

    found = data_status(choice.ids() if choice.names_some else None, registry=choice.registry)
    print_result(found, print_status, json=json)


@app.command(cls=Command)
@with_groups
def clean(
    *,
    raw: Annotated[bool, typer.Option("--raw", help="Remove unpacked raw data.")] = False,
    zips: Annotated[bool, typer.Option("--zips", help="Remove Kaggle's archives.")] = False,
    partial: Annotated[bool, typer.Option("--partial", help="Remove interrupted downloads and unpackings.")] = False,
    choice: Choice,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what would be removed, and remove nothing.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Also remove raw data and archives of what is not prepared yet.")
    ] = False,
    json: Json = False,
) -> None:
    """Remove what can be downloaded or made again. Prepared data and data in use stay.

    Example: mlebench data clean --raw --zips --dry-run
    """
    from mlebench.cli.data_tables import print_cleanup
    from mlebench.data import clean_data

    ids = choice.ids() if choice.names_some else None
    cleanup = clean_data(
        ids, raw=raw, zips=zips, partial=partial, dry_run=dry_run, force=force, registry=choice.registry
    )
    print_result(cleanup, print_cleanup, json=json)


@app.command(cls=Command)
@with_groups
def verify(*, choice: Choice, all_: All = False, json: Json = False) -> None:
    """Verify prepared data: nothing has changed since they were made, and they match the record of the real files.

    By default, all prepared data are verified. The sample submission of real data is graded and must get the score on
    record. The exit code is 1 if something differs; each line names the file, what differs and what that means.

    Example: mlebench data verify -c spaceship-titanic
    """
    from mlebench.cli.data_tables import print_verifications
    from mlebench.grading.datasets import verify_data

    ids = choice.ids(all=all_) if choice.names_some or all_ else None
    found = verify_data(ids, registry=choice.registry)
    if json:
        print_json([each.as_json() for each in found])
    else:
        print_verifications(found, choice.registry.get_data_dir())
    raise typer.Exit(0 if all(each.agrees for each in found) else 1)
