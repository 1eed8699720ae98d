"""Plan what preparing competitions takes before it begins: downloads, disk at the peak, time, and obstacles."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.data.download import DownloadRecord, kaggle_client
from mlebench.data.estimate import PlanRow, Rules, State, estimate, state_of
from mlebench.data.options import PrepareOptions
from mlebench.data.space import MARGIN, free_bytes
from mlebench.errors import DiskFullError, KaggleError, MissingExtraError, UsageError
from mlebench.ground.extras import missing
from mlebench.ground.wording import format_size
from mlebench.kaggle.models import Survey
from mlebench.tasks.lookup import get_competition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import TaskRef
    from mlebench.tasks.registry import Registry

DEFAULT_BANDWIDTH = 20e6
"""Bytes per second of downloads, if it is neither declared nor measured."""
MAX_RECORDS = 5
"""Latest downloads that the measured bandwidth is computed from."""
MIN_MEASURED_BYTES = 10e6
MIN_MEASURED_SECONDS = 1.0
"""Smallest amounts from which a bandwidth is computed."""

BandwidthOrigin = Literal["declared", "measured", "assumed"]


class DataPlan(BaseModel):
    """What preparing competitions takes; sizes in bytes."""

    model_config = ConfigDict(frozen=True)

    format_version: Literal[1] = 1
    data_dir: str
    jobs: int
    """Competitions that are prepared at the same time."""
    bandwidth: float
    """Of all downloads together, in bytes per second."""
    bandwidth_is: BandwidthOrigin
    rows: tuple[PlanRow, ...]
    download: int
    disk_free: int
    disk_peak: int
    disk_stays: int
    seconds: float
    obstacles: tuple[str, ...]
    """Why preparing cannot start; empty if it can."""

    @property
    def lacks_disk(self) -> bool:
        """Whether the disk is too small for the peak."""
        return self.disk_peak * (1 + MARGIN) > self.disk_free

    @property
    def pages(self) -> list[str]:
        """The pages on which rules must still be accepted."""
        return [row.page for row in self.rows if row.rules is Rules.MISSING and row.page]

    def as_json(self) -> dict[str, Any]:
        """Return the plan as plain values for JSON."""
        return {**self.model_dump(mode="json"), "pages": self.pages}

    def require_disk(self) -> None:
        """Raise DiskFullError if the disk is too small for the peak."""
        if self.lacks_disk:
            raise DiskFullError(
                f"Preparing takes {format_size(self.disk_peak)} of disk at the peak and {format_size(self.disk_free)} "
                "are free; free some space (mlebench data clean), prepare fewer at a time (--jobs), or start anyway "
                "with --ignore-plan."
            )


def plan_data(
    competitions: Iterable[Competition | TaskRef | str],
    *,
    options: PrepareOptions | None = None,
    jobs: int = 2,
    bandwidth: float | None = None,
    offline: bool = False,
    data_dir: Path | None = None,
    registry: Registry | None = None,
) -> DataPlan:
    """Plan what preparing competitions takes; nothing is downloaded.

    Parameters
    ----------
    competitions
        Ids such as `spaceship-titanic` or `spaceship-titanic@v2`, or competitions.
    options
        How they will be prepared; `keep_raw`, `keep_zip` and `link` decide what stays on the disk.
    jobs
        Competitions that are prepared at the same time.
    bandwidth
        Of downloads, in bytes per second. By default that of the latest downloads, or else 20 MB per second.
    offline
        Do not ask Kaggle for archive sizes and accepted rules; declared sizes are used.
    data_dir, registry
        Where the competitions and their data are; see `mlebench.tasks.lookup.get_competition`.

    Returns
    -------
    DataPlan
        One row per competition, the totals, and the obstacles. A failed request to Kaggle is an obstacle.

    Raises
    ------
    UnknownNameError
        There is no such competition.
    UsageError
        There are no competitions to plan.

    Examples
    --------
    >>> plan_data(["demo-wine"]).rows[0].rules
    <Rules.NOT_NEEDED: 'not needed'>
    """
    found = [get_competition(each, data_dir=data_dir, registry=registry) for each in competitions]
    if not found:
        raise UsageError("There is nothing to plan; name at least one competition.")
    wanted = [competition.id for competition in found if state_of(competition) is State.DOWNLOAD]
    survey, problem = Survey(), None
    if wanted and not offline:
        try:
            survey = kaggle_client().survey(wanted)
        except (MissingExtraError, KaggleError) as error:
            problem = str(error)
    return make_plan(
        found, options=options or PrepareOptions(), jobs=jobs, bandwidth=bandwidth, survey=survey, problem=problem
    )


def make_plan(
    competitions: Sequence[Competition],
    *,
    options: PrepareOptions,
    jobs: int = 1,
    bandwidth: float | None = None,
    survey: Survey | None = None,
    problem: str | None = None,
) -> DataPlan:
    """Return a plan without asking Kaggle.

    Parameters
    ----------
    competitions
        At least one competition; all are in the same data directory.
    options, jobs, bandwidth
        As in `plan_data`.
    survey
        What Kaggle has answered.
    problem
        Why Kaggle could not be asked.
    """
    data_dir, survey = competitions[0].raw_dir.parents[1], survey or Survey()
    rate, rate_is = _bandwidth(data_dir, bandwidth)
    rows = tuple(estimate(competition, options, rate, survey) for competition in competitions)
    download = sum(row.download for row in rows)
    peak = _peak(rows, jobs)
    free = free_bytes(data_dir)
    obstacles = []
    if peak * (1 + MARGIN) > free:
        obstacles.append(
            f"{format_size(peak)} of disk are needed at the peak and {format_size(free)} are free at {data_dir}."
        )
    unaccepted = ", ".join(row.competition for row in rows if row.rules is Rules.MISSING)
    if unaccepted:
        obstacles.append(f"You must accept the rules of {unaccepted} on Kaggle's own pages first.")
    obstacles += [*_missing_packages(competitions, rows), *survey.problems.values(), *([problem] if problem else [])]
    work = sum(row.seconds for row in rows)
    return DataPlan(
        data_dir=str(data_dir),
        jobs=jobs,
        bandwidth=rate,
        bandwidth_is=rate_is,
        rows=rows,
        download=download,
        disk_free=free,
        disk_peak=peak,
        disk_stays=sum(row.stays for row in rows),
        seconds=max(download / rate, work / jobs, max(row.seconds for row in rows)),
        obstacles=tuple(obstacles),
    )


def _peak(rows: Sequence[PlanRow], jobs: int) -> int:
    """Return the disk space if the jobs that need most beyond what stays run last, at the same time."""
    extra = heapq.nlargest(jobs, (row.peak - max(0, row.stays) for row in rows))
    return sum(max(0, row.stays) for row in rows) + sum(extra)


def _missing_packages(competitions: Sequence[Competition], rows: Sequence[PlanRow]) -> Iterator[str]:
    for competition, row in zip(competitions, rows, strict=True):
        extras = competition.declaration.extras if competition.declaration else ()
        if row.state is not State.PREPARED and (lacking := missing(extras)):
            yield f"Preparing {competition.label} needs optional packages: pip install 'mlebench[{','.join(lacking)}]'"


def _bandwidth(data_dir: Path, declared: float | None) -> tuple[float, BandwidthOrigin]:
    """Return the bytes per second of downloads, and whether they are declared, measured or assumed."""
    if declared is not None:
        return declared, "declared"
    found = [DownloadRecord.read(path) for path in data_dir.glob("*")]
    records = [record for record in found if record and record.seconds and record.fetched]
    latest = sorted(records, key=lambda record: record.at)[-MAX_RECORDS:]
    size, seconds = sum(record.fetched for record in latest), sum(record.seconds for record in latest)
    if size > MIN_MEASURED_BYTES and seconds > MIN_MEASURED_SECONDS:
        return size / seconds, "measured"
    return DEFAULT_BANDWIDTH, "assumed"
