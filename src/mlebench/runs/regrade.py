"""Grading kept submissions again: with a grader that was mended, or as another version of the task.

No agent runs, and no verdict is replaced: the new one stands beside the first, in the run's record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.data import require_prepared
from mlebench.errors import RunError
from mlebench.ground.version import __version__
from mlebench.runs.events import EventLog
from mlebench.runs.grading import GradingProcess
from mlebench.runs.record import Regrade, Status, digest_of
from mlebench.runs.runner import SUBMISSION
from mlebench.runs.store import GroupStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mlebench.runs.record import RunRecord
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.ref import Version
    from mlebench.tasks.registry import Registry


def regrade(group: Path, registry: Registry, version: Version | None = None) -> Iterator[RunRecord]:
    """Grade all runs of a group that have a verdict once more; yields their new records.

    Raises RunError if a submission is not the one that was graded before, NotPreparedError without data.
    """
    store = GroupStore.reopen(group)
    try:
        runs = [run for run in store.record.runs.values() if run.status is Status.GRADED]
        competitions = {run.run_id: _competition(run, registry, version) for run in runs}
        for competition in competitions.values():
            require_prepared(competition)
        with GradingProcess(registry) as grading:
            for run in runs:
                folder = store.attempt_folder(run)
                verdict = grading.judge(folder / "submission" / SUBMISSION, competitions[run.run_id])
                if run.verdict is None or verdict.submission_sha256 != run.verdict.submission_sha256:
                    raise RunError(
                        f"The submission of {run.run_id} is not the one that was graded; see mlebench verify."
                    )
                again = Regrade(mlebench_version=__version__, verdict=verdict)
                regraded = run.model_copy(update={"regrades": (*run.regrades, again)})
                with EventLog(folder / "events.jsonl", resume=True) as events:
                    events("regraded", version=verdict.version, outcome=verdict.outcome, score=verdict.score)
                    events("recorded", status=run.status, sha256=digest_of(regraded.as_file()))
                store.save(regraded)
                yield regraded
    finally:
        store.close()


def _competition(run: RunRecord, registry: Registry, version: Version | None) -> Competition:
    return registry.get_competition(f"{run.competition_id}@{version or run.version}")
