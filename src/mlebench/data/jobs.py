"""The job of preparing one competition of several, and the last check that a caller may add to it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from pydantic import BaseModel, ConfigDict, ImportString

from mlebench.data.options import PrepareOptions
from mlebench.data.preparing import prepare_competition
from mlebench.data.progress import Progress, Step, StepRecorder
from mlebench.data.results import PrepareOutcome, PrepareResult
from mlebench.tasks.ref import TaskRef
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from mlebench.data.manifest import Manifest
    from mlebench.tasks.competition import Competition


@runtime_checkable
class FinalCheck(Protocol):
    """The last check of prepared data: the extension point for rooms above this one.

    A check is a function of a module, so that the process that prepares the data can import it. It runs after the data
    are in place, also if they were prepared before.
    """

    def __call__(self, competition: Competition, manifest: Manifest, progress: Progress, /) -> Manifest:
        """Return the manifest, perhaps updated; raise MLEBenchError if the data are not right."""


class Job(BaseModel):
    """A competition and how it is prepared; as JSON, it is the input of a worker process."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    label: str
    """The competition's id, with `@v2` for that version."""
    data_dir: Path
    folders: tuple[Path, ...] = ()
    """Folders of competitions of the user, absolute."""
    options: PrepareOptions = PrepareOptions()
    check: ImportString[FinalCheck] | None = None
    """In JSON, the dotted name of the function."""

    @classmethod
    def of(cls, competition: Competition, options: PrepareOptions, check: FinalCheck | None = None) -> Self:
        """Return the job of preparing a competition of a registry."""
        return cls(
            label=competition.label,
            data_dir=competition.raw_dir.parents[1],
            folders=(competition.folder.absolute(),) if competition.folder else (),
            options=options,
            check=check,
        )

    @property
    def ref(self) -> TaskRef:
        """The identity of the task."""
        return TaskRef.parse(self.label)


def run_job(job: Job, progress: Progress) -> PrepareResult:
    """Prepare the competition of a job in this process.

    Raises
    ------
    MLEBenchError
        What `prepare` and the job's check raise.
    """
    started, recorder = time.monotonic(), StepRecorder(progress)
    competition = Registry(job.data_dir, job.folders).get_competition(job.label)
    manifest = prepare_competition(competition, job.options, progress=recorder)
    if job.check is not None:
        manifest = job.check(competition, manifest, recorder)
    outcome: PrepareOutcome = "already there"
    if Step.PREPARE in recorder.steps:
        outcome = "made"
    elif Step.VERIFY in recorder.steps:
        outcome = "verified"
    return PrepareResult(label=job.label, outcome=outcome, seconds=time.monotonic() - started, manifest=manifest)
