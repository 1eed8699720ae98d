"""The grading workers that all runs of a harness share: no submission can crash the harness or take its memory.

Gradings and checks have workers of their own, because checks come from agents while they work.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

from mlebench.errors import RunError
from mlebench.grading.reports import Outcome, Verdict
from mlebench.grading.requests import GRADING, Bounds, GiB, Request
from mlebench.grading.workers import Workers
from mlebench.ground.wording import count, format_binary_size, format_duration

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

MEMORY_PER_GRADING = 8 * GiB


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check in a worker."""

    message: str
    """What `check_submission` returns, or that the check needed more than its bounds."""
    exceeded: bool
    """Whether it needed more than its bounds."""
    cpu_seconds: float
    """Processor time that it took."""


class GradingPool:
    """Grades and checks submissions in other processes, several at a time. Thread-safe.

    Gradings are served first come, first served. Those that are not urgent come after all others and leave one worker
    free, so a submission never waits for many snapshots of another run.

    Parameters
    ----------
    registry : Registry
        The data to grade against.
    gradings : int, optional
        How many submissions are graded at the same time; by default as cores and memory allow, 2 to 8.
    checks : int, optional
        How many are checked at the same time; by default one for four cores, 2 to 4.
    grading_bounds : Bounds
        What one grading may use.
    check_bounds : Bounds, optional
        What one check may use; by default it depends on the size of the sample submission.

    Attributes
    ----------
    gradings : int
        How many submissions are graded at the same time.
    """

    def __init__(
        self,
        registry: Registry,
        *,
        gradings: int | None = None,
        checks: int | None = None,
        grading_bounds: Bounds = GRADING,
        check_bounds: Bounds | None = None,
    ) -> None:
        self.gradings = gradings or _default_gradings()
        checks = checks or max(2, min(4, (os.cpu_count() or 1) // 4))
        self._data_dir = str(registry.get_data_dir())
        self._folders = tuple(map(str, registry.folders))
        self._grading_bounds = grading_bounds
        self._check_bounds = check_bounds
        self._graders = Workers(self.gradings, reserved=1 if self.gradings > 1 else 0)
        self._checkers = Workers(checks)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._graders.close()
        self._checkers.close()

    def judge(self, path: Path, competition: Competition, *, urgent: bool = True) -> Verdict:
        """Grade one submission; the outcome is `failed` if grading dies or hangs.

        Parameters
        ----------
        path
            The submission.
        competition
            A competition of the registry, whose answers are prepared.
        urgent
            Whether it is graded before those that are not urgent.

        Raises
        ------
        RunError
            The submission could not be graded, which says nothing about it.
        OSError
            This machine failed, such as a disk with defects.
        """
        answer = self._graders.ask(self._request("judge", path, competition, self._grading_bounds), urgent=urgent)
        if answer.exceeded:
            return self._failed(path, competition)
        if answer.verdict is None:
            raise RunError(f"{competition.label} could not be graded: {answer.error}")
        return Verdict.model_validate_json(answer.verdict)

    def check(self, path: Path, competition: Competition) -> str:
        """Return the message of `check_submission`, or one sentence if the check needs more than its bounds.

        Parameters
        ----------
        path
            The submission.
        competition
            A competition of the registry, whose public files are prepared.

        Raises
        ------
        RunError
            The check itself failed, which says nothing about the submission.
        OSError
            This machine failed, such as a disk with defects.
        """
        return self.measured_check(path, competition).message

    def measured_check(self, path: Path, competition: Competition) -> CheckResult:
        """Do what `check` does and return what it took as well."""
        bounds = self.bounds_of_check(competition)
        answer = self._checkers.ask(self._request("check", path, competition, bounds))
        if answer.exceeded:
            return CheckResult(exceeded_message(bounds), exceeded=True, cpu_seconds=answer.cpu_seconds)
        if answer.message is None:
            raise RunError(f"The check of {competition.label} failed: {answer.error}")
        return CheckResult(answer.message, exceeded=False, cpu_seconds=answer.cpu_seconds)

    def bounds_of_check(self, competition: Competition) -> Bounds:
        """Return what one check of a competition may use."""
        return self._check_bounds or Bounds.of_check(sample_bytes(competition))

    def _request(
        self, kind: Literal["judge", "check"], path: Path, competition: Competition, bounds: Bounds
    ) -> Request:
        version = competition.data_version
        return Request(kind, str(path), competition.label, self._data_dir, self._folders, bounds, version)

    def _failed(self, path: Path, competition: Competition) -> Verdict:
        """Return the verdict on a submission whose grading died."""
        from mlebench.grading.judge import judge

        bounds = self._grading_bounds
        reason = (
            f"Grading died, or took more than {bounds.seconds:.0f} seconds or {bounds.memory // GiB} GiB of memory."
        )
        nothing = judge(path.parent / "nothing.csv", competition)
        update = {
            "outcome": Outcome.FAILED,
            "reason": reason,
            "submission_path": str(path),
            "submission_exists": path.is_file(),
        }
        return nothing.model_copy(update=update)


def exceeded_message(bounds: Bounds) -> str:
    """Return the sentence for an agent whose submission could not be checked within these bounds."""
    time = (
        format_duration(bounds.seconds)
        if bounds.cpu_seconds is None
        else f"{count(bounds.cpu_seconds, 'second')} of computing"
    )
    return (
        f"Submission could not be checked within {format_binary_size(bounds.memory)} of memory and {time}; "
        "the sample submission needs far less."
    )


def sample_bytes(competition: Competition) -> int:
    """Return the size of a competition's sample submission; 0 if there is none."""
    try:
        return competition.sample_submission.stat().st_size
    except OSError:
        return 0


def _default_gradings() -> int:
    import psutil

    fitting = min(os.cpu_count() or 1, psutil.virtual_memory().total // MEMORY_PER_GRADING)
    return max(2, min(8, fitting))
