"""Prepare and verify the data of several competitions, down to the score of the sample submission."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mlebench.data.jobs import Job, run_job
from mlebench.data.manifest import read_manifest
from mlebench.data.options import PrepareOptions
from mlebench.data.plan import plan_data
from mlebench.data.pool import run_jobs
from mlebench.data.progress import LabelledProgress, LogProgress, as_batch_progress
from mlebench.data.status import select_stored
from mlebench.data.verifying import verify_files
from mlebench.errors import UsageError
from mlebench.grading.sample import check_sample, sample_problem
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mlebench.data.progress import BatchProgress, ResultCallback
    from mlebench.data.results import PrepareResult
    from mlebench.data.verifying import Verification
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry


@dataclass(frozen=True)
class VerifiedData:
    """The result of verifying a competition's prepared data."""

    verification: Verification
    sample: str | None
    """What is wrong with the score of the sample submission, in one sentence; None if it is right or not checked."""

    @property
    def agrees(self) -> bool:
        """Whether files and score are those on record."""
        return self.verification.agrees and self.sample is None

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain values for JSON."""
        found = [{**each._asdict(), "meaning": each.meaning} for each in self.verification.differences]
        values = {**dataclasses.asdict(self.verification), "differences": found}
        return {**values, "sample_submission": self.sample, "agrees": self.agrees}


def prepare_many(
    competitions: Iterable[Competition | TaskRef | str],
    *,
    options: PrepareOptions | None = None,
    jobs: int = 2,
    ignore_plan: bool = False,
    data_dir: Path | None = None,
    registry: Registry | None = None,
    progress: BatchProgress | ResultCallback | None = None,
) -> list[PrepareResult]:
    """Prepare the data of several competitions concurrently, each in its own process.

    A competition that fails or whose process dies stops no other. The same call resumes after any interruption.
    Afterwards the sample submissions of real data are graded and must get the scores on record.

    Parameters
    ----------
    competitions
        Ids such as `spaceship-titanic` or `spaceship-titanic@v2`, or competitions.
    options
        How they are prepared, as in `mlebench.prepare`. Competitions with embedded data ignore `rehearsal`.
    jobs
        Competitions that are prepared at the same time.
    ignore_plan
        Begin even if the disk seems too small for all of them.
    data_dir, registry
        Where the competitions and their data are; see `mlebench.tasks.lookup.get_competition`.
    progress
        A function that is called with each result, or a `BatchProgress` that receives each step as well. Calls
        come from several threads. By default, messages go to the log.

    Returns
    -------
    list of PrepareResult
        One per competition, in their order: the manifest, or the error.

    Raises
    ------
    UsageError
        Raw data are given for several competitions.
    DiskFullError
        The disk is too small, according to `mlebench.plan_data`; raised before anything is downloaded.
    UnknownNameError
        There is no such competition.

    Examples
    --------
    >>> [result.outcome for result in prepare_many(["demo-wine", "demo-diabetes"])] # doctest: +SKIP
    ['made', 'made']
    """
    options, batch_progress = options or PrepareOptions(), as_batch_progress(progress)
    found = [get_competition(each, data_dir=data_dir, registry=registry) for each in competitions]
    if options.raw is not None and len(found) != 1:
        raise UsageError("Raw data belong to one competition; name it with -c.")
    if len(found) > 1 and not options.rehearsal:
        plan = plan_data(found, options=options, jobs=jobs)
        for text in (*plan.obstacles, *plan.pages):
            batch_progress.message("", text)
        if not ignore_plan:
            plan.require_disk()
    return run_jobs([_job(competition, options) for competition in found], jobs, batch_progress)


def prepare_one(competition: Competition, options: PrepareOptions, progress: BatchProgress) -> PrepareResult:
    """Prepare one competition in this process, with the checks of `prepare_many`; errors are raised."""
    result = run_job(_job(competition, options), LabelledProgress(progress, competition.label))
    progress.finished(result)
    return result


def verify_data(
    competitions: Iterable[Competition | TaskRef | str] | None = None,
    *,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> list[VerifiedData]:
    """Compare prepared data with what they were when they were made, and with the record of the real files.

    The sample submission of real data is graded and must get the score on record.

    Parameters
    ----------
    competitions
        Ids or competitions; by default all that are prepared.
    data_dir, registry
        Where the competitions and their data are; see `mlebench.tasks.lookup.get_competition`.

    Returns
    -------
    list of VerifiedData
        One per competition, with each difference.

    Raises
    ------
    NotPreparedError
        The data of a given competition are not prepared.
    UnknownNameError
        There is no such competition.
    """
    return [
        _verify(competition)
        for competition in select_stored(competitions, prepared=True, data_dir=data_dir, registry=registry)
    ]


def _verify(competition: Competition) -> VerifiedData:
    verification, manifest = verify_files(competition, LogProgress()), read_manifest(competition)
    is_checkable = manifest is not None and verification.agrees
    return VerifiedData(verification, sample_problem(competition, manifest) if is_checkable and manifest else None)


def _job(competition: Competition, options: PrepareOptions) -> Job:
    if competition.is_embedded:
        options = replace(options, rehearsal=False)
    return Job.of(competition, options, check_sample)
