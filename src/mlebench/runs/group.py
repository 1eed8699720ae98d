"""Running a group: every run that is not done yet, some at a time, each graded as soon as it has ended."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mlebench.reports import now
from mlebench.runs.grading import GradingProcess
from mlebench.runs.record import Status
from mlebench.runs.runner import SUBMISSION, Runner
from mlebench.runs.store import GroupStore
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.sweep import sweep

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.competition import Competition
    from mlebench.registry import Registry
    from mlebench.runs.plan import Plan
    from mlebench.runs.record import GroupRecord, RunRecord

HARNESS_ATTEMPTS = 3
"""How often a run is tried when the harness, not the agent, is at fault."""
RETRY_SECONDS = 1.0
"""Pause before the second attempt; each further one waits as much longer."""


class Progress(Protocol):
    """Is told what happens to runs; calls come from several threads."""

    def started(self, run: RunRecord) -> None: ...

    def finished(self, run: RunRecord) -> None: ...


def run_group(plan: Plan, folder: Path, registry: Registry, *, parallel: int, progress: Progress) -> GroupRecord:
    """Run a plan in a group's folder and return the group's record.

    What an earlier call with the same plan has done is kept: graded runs stay, ended ones are graded, and runs
    that were cut short are attempted again. KeyboardInterrupt ends the running agents, keeps everything that
    is done, and goes through.
    """
    sweep()  # of a harness that was killed
    sandbox = get_sandbox(plan.sandbox)
    store = GroupStore.open(folder, plan.record, plan.runs, sandbox.guarantees)
    stop = threading.Event()
    try:
        with GradingProcess(registry) as grading:
            worker = _Worker(plan, store, Runner(sandbox, plan.limits, stop), grading, progress)
            todo = [run for run in store.record.runs.values() if run.status is not Status.GRADED]
            with ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="run") as pool:
                waiting = {pool.submit(worker.bring_to_end, run) for run in todo}
                try:
                    while waiting:
                        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                        for future in done:
                            future.result()
                except BaseException:
                    stop.set()
                    pool.shutdown(wait=True, cancel_futures=True)
                    raise
        store.write_submissions()
        store.write_grading_report()
        return store.record
    finally:
        store.close()


@dataclass(frozen=True)
class _Worker:
    """Brings runs to their end, one in each thread of a pool."""

    plan: Plan
    store: GroupStore
    runner: Runner
    grading: GradingProcess
    progress: Progress

    def bring_to_end(self, run: RunRecord) -> None:
        """Attempt a run until it has ended, then grade it; after too many harness faults it stays planned."""
        self.progress.started(run)
        for attempts in range(HARNESS_ATTEMPTS):
            if run.status is Status.ENDED or self.runner.stop.wait(RETRY_SECONDS * attempts):
                break
            run = self._attempt(run)
        if self.runner.stop.is_set() and run.status is not Status.ENDED:
            return
        if run.status is Status.ENDED:
            submission = self.store.attempt_folder(run) / "submission" / SUBMISSION
            verdict = self.grading.judge(submission, self._competition(run))
            run = run.model_copy(update={"status": Status.GRADED, "verdict": verdict})
            self.store.save(run)
        self.progress.finished(run)

    def _attempt(self, run: RunRecord) -> RunRecord:
        """Make the next attempt, beside what earlier ones left."""
        run = run.model_copy(
            update={"status": Status.RUNNING, "attempt": run.attempt + 1, "started_at": now(), "ending": None}
        )
        folder = self.store.attempt_folder(run)
        if folder.exists():  # made by a process that was killed before it could write the record
            shutil.rmtree(folder)
        self.store.save(run)
        folder.mkdir(parents=True)
        for scratch in folder.parent.glob("*/home"):  # of attempts that were cut short; their logs stay
            shutil.rmtree(scratch, ignore_errors=True)
        run = self.runner.attempt(run, self.plan.agents[run.agent], self._competition(run), folder)
        self.store.show_attempt(run)
        self.store.save(run)
        return run

    def _competition(self, run: RunRecord) -> Competition:
        return self.plan.competitions[run.run_id.partition("_")[0]]
