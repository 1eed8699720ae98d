from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlebench.cli.groups import Choice, Keeping, with_groups
from mlebench.cli.options import All, Jobs, Json
from mlebench.cli.output import console, print_json
from mlebench.errors import DiskFullError, PreparationError, UsageError

if TYPE_CHECKING:
    from mlebench.data.jobs import Job, Outcome
    from mlebench.tasks.competition import Competition

logger = logging.getLogger(__name__)

CHECK = "mlebench.grading.sample:check_sample"


@with_groups
def prepare(
    *,
    choice: Choice,
    all_: All = False,
    lite: Annotated[bool, typer.Option("--lite", help="All competitions of the split `low`.")] = False,
    raw: Annotated[
        Path | None, typer.Option(help="The raw data of one competition: Kaggle's zip, or the folder it unpacks to.")
    ] = None,
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Prepare tiny synthetic data with the real schema; needs no download.")
    ] = False,
    keeping: Keeping,
    jobs: Jobs = 2,
    brief: Annotated[
        bool, typer.Option("--brief", help="Hand out our brief even where Kaggle's own pages can be fetched.")
    ] = False,
    skip_verification: Annotated[
        bool, typer.Option("--skip-verification", help="Do not compare with the checksums on record.")
    ] = False,
    overwrite_checksums: Annotated[bool, typer.Option("--overwrite-checksums", hidden=True)] = False,
    overwrite_leaderboard: Annotated[bool, typer.Option("--overwrite-leaderboard", hidden=True)] = False,
    force: Annotated[bool, typer.Option("--force", help="Prepare again what is prepared already.")] = False,
    ignore_plan: Annotated[
        bool, typer.Option("--ignore-plan", help="Begin even if the disk seems too small for all of it.")
    ] = False,
    json: Json = False,
) -> None:
    """Prepare competitions' data: fetch them, split them anew into what agents get and the answers, verify them.

    What is there already is used: archives, unpacked folders, data that another program prepared. Interrupted or
    killed, the same command goes on where it was. Archives that were downloaded and raw data are removed at the end.

    Example: mlebench prepare -c spaceship-titanic --rehearsal
    """
    from mlebench.data.jobs import Job
    from mlebench.data.pool import run_jobs, run_one

    registry = choice.registry
    ids = choice.ids(all=all_, low=lite)
    if raw is not None and len(ids) != 1:
        raise UsageError("Raw data are those of one competition; name it with -c.")
    if raw is not None and rehearsal:
        raise UsageError("Raw data of your own and the rehearsal data exclude each other; give one of them.")
    if overwrite_checksums or overwrite_leaderboard:
        logger.warning("Checksums and leaderboards on record are part of mlebench and are not overwritten.")
    competitions = [registry.get_competition(name) for name in ids]
    work = [
        Job(
            label=competition.label,
            data_dir=registry.get_data_dir(),
            folders=tuple(path.absolute() for path in choice.folder or ()),
            raw=raw.absolute() if raw is not None else None,
            rehearsal=rehearsal and not competition.is_embedded,  # these need no synthetic data
            keep_raw=keeping.keep_raw or raw is not None,
            keep_zip=keeping.keep_zip,
            link=keeping.link,
            brief=brief,
            skip_verification=skip_verification or overwrite_checksums,
            force=force,
            check=CHECK,
        )
        for competition in competitions
    ]
    if len(competitions) > 1 and not rehearsal:
        _look_ahead(competitions, registry.get_data_dir(), keeping, jobs, ignore_plan=ignore_plan)
    from mlebench.cli.data_progress import DataProgress

    with DataProgress(len(work)) as progress:
        outcomes = [run_one(work[0], progress)] if len(work) == 1 else run_jobs(work, jobs, progress)
    if json:
        print_json([_as_json(job, outcome) for job, outcome in zip(work, outcomes, strict=True)])
    elif len(outcomes) > 1:
        _show(outcomes)
    failed = [outcome.label for outcome in outcomes if outcome.outcome == "failed"]
    if failed:
        raise PreparationError(f"{len(failed)} of {len(outcomes)} are not prepared: {', '.join(failed)}.")


def _look_ahead(
    competitions: list[Competition], data_dir: Path, keeping: Keeping, jobs: int, *, ignore_plan: bool
) -> None:
    """Say up front which rules are to be accepted; raise DiskFullError before the first byte of what cannot fit."""
    from mlebench.cli.data_plan import plan_data
    from mlebench.ground.wording import format_size

    plan = plan_data(competitions, data_dir, keeping, jobs)
    for obstacle in plan.obstacles:
        logger.warning("%s", obstacle)
    for page in plan.pages:
        logger.warning("  %s", page)
    if plan.lacks_disk and not ignore_plan:
        raise DiskFullError(
            f"All of it takes {format_size(plan.disk_peak)} at the peak and {format_size(plan.disk_free)} are free; "
            "prepare fewer at a time (--jobs) or fewer altogether, make room (mlebench data clean), name another "
            "folder (--data-dir), or say --ignore-plan to see how far it goes; mlebench data plan tells more."
        )


def _as_json(job: Job, outcome: Outcome) -> dict[str, Any]:
    competition_id, _, version = job.label.partition("@")
    facts: dict[str, Any] = {"competition_id": competition_id, "version": version or "v1"}
    if outcome.manifest is not None:
        facts = outcome.manifest.model_dump(mode="json")
    return facts | outcome.model_dump(mode="json", include={"outcome", "seconds", "error"})


def _show(outcomes: list[Outcome]) -> None:
    """Print what came of each, those that failed last, where they are seen."""
    from rich.table import Table

    from mlebench.ground.wording import format_short_duration, format_size

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("competition", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    table.add_column("time", justify="right", no_wrap=True)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("")
    for outcome in sorted(outcomes, key=lambda each: each.outcome == "failed"):
        manifest = outcome.manifest
        size = format_size(manifest.bytes) if manifest and manifest.bytes else ""
        said = f"{manifest.source} data" if manifest else outcome.error or ""
        table.add_row(outcome.label, outcome.outcome, format_short_duration(outcome.seconds), size, said)
    console().print(table)
