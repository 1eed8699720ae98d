"""Grading kept submissions again: with a fixed grader, or as another version of the task.

No agent runs, and no verdict is replaced: the new verdict is recorded beside the first one.
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data import require_prepared
from mlebench.errors import RunError, UsageError
from mlebench.grading.pool import GradingPool
from mlebench.ground.version import __version__
from mlebench.ground.wording import count
from mlebench.runs.events import EventLog
from mlebench.runs.layout import SUBMISSION, SUMS
from mlebench.runs.reader import Group, read_group
from mlebench.runs.record import Regrade, Status, digest_of
from mlebench.runs.registries import is_rehearsal, registry_of_group
from mlebench.runs.seal import read_sums
from mlebench.runs.store import GroupStore
from mlebench.runs.untrusted import read_digest, read_file
from mlebench.tasks.ref import TaskRef, Version
from mlebench.tasks.registry import open_registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mlebench.grading.reports import Verdict
    from mlebench.runs.progress import RunCallback
    from mlebench.runs.record import RunRecord
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

logger = logging.getLogger(__name__)

_MAX_SUMS_BYTES = 64 * 1024**2
_ANY_SIZE = 2**62


def regrade(
    group: Path | str,
    *,
    version: str | None = None,
    rules: str | None = None,
    data_dir: Path | None = None,
    folders: Iterable[Path] = (),
    progress: RunCallback | None = None,
) -> Group:
    """Grade the submissions of all graded runs of a group again.

    Parameters
    ----------
    group
        The group's folder.
    version
        Grade as this version of the tasks, such as `v2`, against its own answers; by default as before.
    rules
        Grade by the rules of this version, against the answers of the version that ran: the difference to the first
        verdict is then one of grading, not of data. A run whose task has no such version is left as it is.
    data_dir, folders
        As in `run`. A group that ran on rehearsal data is graded on them.
    progress
        Called with each run's new record, whose last regrade is the new verdict.

    Returns
    -------
    Group
        The group with the new records.

    Raises
    ------
    RunError
        There is no such group, or a submission is not the one that was graded before.
    NotPreparedError
        The data of a competition are not prepared.
    GroupBusyError
        Another process is working on the group.
    UsageError
        Both `version` and `rules` are given.
    """
    if version is not None and rules is not None:
        raise UsageError("Regrade as another version (--task-version) or by its rules (--rules), not both.")
    folder = Path(group)
    wanted = version or rules
    target = Version.parse(wanted) if wanted else None
    store = GroupStore.reopen(folder)
    try:
        registry = registry_of_group(folder, open_registry(data_dir, folders))
        runs = [run for run in store.record.runs.values() if run.status is Status.GRADED]
        if target is not None:
            graded, runs = runs, [run for run in runs if _has_version(run, target, registry)]
            if left := len(graded) - len(runs):
                logger.warning("%s left as before: the task has no %s.", count(left, "run"), target)
        competitions = {run.run_id: _competition(run, target, registry, own_data=rules is None) for run in runs}
        for competition in competitions.values():
            require_prepared(competition, rehearsal=is_rehearsal(folder))

        def judge(run: RunRecord) -> Verdict:
            submission = store.attempt_folder(run) / "submission" / SUBMISSION
            return grading.judge(submission, competitions[run.run_id])

        with GradingPool(registry) as grading, ThreadPoolExecutor(grading.gradings) as threads:
            for run, verdict in zip(runs, threads.map(judge, runs), strict=True):
                regraded = _record(run, verdict, store)
                if progress is not None:
                    progress(regraded)
    finally:
        store.close()
    return read_group(folder)


def _has_version(run: RunRecord, version: Version, registry: Registry) -> bool:
    return version is Version.V1 or version in registry.get_declaration(run.competition_id).versions


def _competition(run: RunRecord, version: Version | None, registry: Registry, *, own_data: bool) -> Competition:
    """Return what grades a run: its competition in a version, on that version's data or on those that it ran on."""
    as_run = registry.get_competition(TaskRef(run.competition_id, run.version).label)
    if version is None or version is run.version:
        return as_run
    regraded = registry.get_competition(TaskRef(run.competition_id, version).label)
    return regraded if own_data else regraded.on_data_of(as_run)


def _record(run: RunRecord, verdict: Verdict, store: GroupStore) -> RunRecord:
    """Record another verdict on a run; return the run's new record."""
    if run.verdict is None or not _is_same(run.verdict, verdict, store.attempt_folder(run)):
        raise RunError(f"The submission of {run.run_id} is not the one that was graded. Run: mlebench verify")
    regrade = Regrade(mlebench_version=__version__, verdict=verdict)
    regraded = run.model_copy(update={"regrades": (*run.regrades, regrade)})
    with EventLog(store.attempt_folder(run) / "events.jsonl", resume=True) as events:
        data = {"data_version": verdict.data_version} if verdict.data_version else {}
        events("regraded", version=verdict.version, outcome=verdict.outcome, score=verdict.score, **data)
        events("recorded", status=run.status, sha256=digest_of(regraded.as_file()))
    store.save(regraded, events)
    return regraded


def _is_same(old: Verdict, new: Verdict, attempt: Path) -> bool:
    """Return whether two verdicts are on the same submission.

    A verdict has no digest if there was no file, or if grading died; then the seal and the file itself have it.
    """
    if None not in (old.submission_sha256, new.submission_sha256):
        return old.submission_sha256 == new.submission_sha256
    path = f"submission/{SUBMISSION}"
    sealed = read_sums(read_file(attempt / SUMS, _MAX_SUMS_BYTES)).get(path.encode())
    try:
        there = read_digest(attempt / path, _ANY_SIZE)
    except RunError:
        there = None
    return (old.submission_sha256 or sealed) == (new.submission_sha256 or there)
