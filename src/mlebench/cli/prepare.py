from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlebench.cli.grouping import with_groups
from mlebench.cli.groups import Choice
from mlebench.cli.options import All, Jobs, Json, KeepRaw, KeepZip, Link
from mlebench.cli.output import console, print_json
from mlebench.errors import PreparationError

if TYPE_CHECKING:
    from mlebench.data.results import PrepareResult

logger = logging.getLogger(__name__)


@with_groups
def prepare(
    *,
    choice: Choice,
    all_: All = False,
    lite: Annotated[bool, typer.Option("--lite", help="All competitions of the split `low`.")] = False,
    raw: Annotated[
        Path | None, typer.Option(help="Raw data of one competition: Kaggle's zip, or the folder it unpacks to.")
    ] = None,
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Prepare small synthetic data with the real schema; needs no download.")
    ] = False,
    keep_raw: KeepRaw = False,
    keep_zip: KeepZip = False,
    link: Link = True,
    jobs: Jobs = 2,
    brief: Annotated[
        bool, typer.Option("--brief", help="Use our brief even if Kaggle's own pages can be downloaded.")
    ] = False,
    skip_verification: Annotated[
        bool, typer.Option("--skip-verification", help="Do not compare with the checksums on record.")
    ] = False,
    overwrite_checksums: Annotated[
        bool, typer.Option("--overwrite-checksums", help="The same as --skip-verification.")
    ] = False,
    overwrite_leaderboard: Annotated[bool, typer.Option("--overwrite-leaderboard", help="Has no effect.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Prepare again what is already prepared.")] = False,
    ignore_plan: Annotated[
        bool, typer.Option("--ignore-plan", help="Begin even if the disk seems too small for all of it.")
    ] = False,
    json: Json = False,
) -> None:
    """Prepare competitions: download their data, split them into public data and answers, and verify them.

    Existing archives, unpacked folders and data that another program prepared are used. After any interruption, the
    same command resumes. At the end, downloaded archives and raw data are removed.

    Example: mlebench prepare -c spaceship-titanic --rehearsal
    """
    from mlebench.cli.data_progress import DataProgress
    from mlebench.data import PrepareOptions
    from mlebench.grading.datasets import prepare_many, prepare_one

    competitions = [choice.registry.get_competition(name) for name in choice.ids(all=all_, low=lite)]
    if overwrite_checksums or overwrite_leaderboard:
        logger.warning("Checksums and leaderboards on record are part of mlebench and are not overwritten.")
    options = PrepareOptions(
        raw=raw.absolute() if raw is not None else None,
        rehearsal=rehearsal,
        keep_raw=keep_raw or raw is not None,
        keep_zip=keep_zip,
        link=link,
        skip_verification=skip_verification or overwrite_checksums,
        brief=brief,
        force=force,
    )
    with DataProgress(len(competitions)) as progress:
        if len(competitions) == 1:
            results = [prepare_one(competitions[0], options, progress)]
        else:
            results = prepare_many(competitions, options=options, jobs=jobs, ignore_plan=ignore_plan, progress=progress)
    if json:
        print_json([_as_json(result) for result in results])
    elif len(results) > 1:
        _print_table(results)
    failed = [result.label for result in results if result.outcome == "failed"]
    if failed:
        raise PreparationError(f"{len(failed)} of {len(results)} are not prepared: {', '.join(failed)}.")


def _as_json(result: PrepareResult) -> dict[str, Any]:
    from mlebench.tasks.ref import TaskRef

    ref = TaskRef.parse(result.label)
    values: dict[str, Any] = {"competition_id": ref.competition_id, "version": ref.version}
    if result.manifest is not None:
        values = result.manifest.model_dump(mode="json")
    values |= result.model_dump(mode="json", include={"outcome", "seconds", "error"})
    return values


def _print_table(results: list[PrepareResult]) -> None:
    """Print a row for each competition, failed ones last."""
    from rich.table import Table

    from mlebench.ground.wording import format_short_duration, format_size

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("competition", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    table.add_column("time", justify="right", no_wrap=True)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("")
    for result in sorted(results, key=lambda each: each.outcome == "failed"):
        manifest = result.manifest
        size = format_size(manifest.bytes) if manifest and manifest.bytes else ""
        details = f"{manifest.source} data" if manifest else result.error or ""
        table.add_row(result.label, result.outcome, format_short_duration(result.seconds), size, details)
    console().print(table)
