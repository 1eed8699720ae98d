"""Running a group: several runs at a time, each graded as soon as it has ended."""

from __future__ import annotations

import functools
import shutil
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.agents.installation import require_installation
from mlebench.gateway.check import CheckGateway
from mlebench.grading.pool import GradingPool
from mlebench.ground.clock import now
from mlebench.ground.files import write_atomically
from mlebench.runs.context import RunContext
from mlebench.runs.curve import grade_snapshots
from mlebench.runs.events import EventLog
from mlebench.runs.layout import CURVE, EVENTS, SUBMISSION
from mlebench.runs.models import open_models
from mlebench.runs.record import Status, digest_of
from mlebench.runs.runner import run_attempt
from mlebench.runs.slots import raise_file_limit
from mlebench.runs.store import GroupStore
from mlebench.runs.workplace import sweep_workplaces
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.orphans import kill_orphans
from mlebench.sandbox.stop import StopSignal

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.runs.options import RunOptions
    from mlebench.runs.plan import Plan
    from mlebench.runs.progress import Progress
    from mlebench.runs.record import GroupRecord, RunRecord
    from mlebench.runs.slots import Slots
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.registry import Registry

HARNESS_ATTEMPTS = 3
"""Maximum of attempts at a run when the harness fails, not the agent."""
RETRY_SECONDS = 1.0
"""Pause before the second attempt; each later pause is four times as long."""


def run_group(
    plan: Plan,
    folder: Path,
    registry: Registry,
    *,
    slots: Slots,
    progress: Progress,
    stop: StopSignal | None = None,
    options: RunOptions | None = None,
) -> GroupRecord:
    """Run a plan in a group's folder and return the group's record.

    What earlier calls with the same plan have done is kept: graded runs stay, ended runs are graded, and interrupted
    runs are attempted again. KeyboardInterrupt and `stop` end the running agents and keep everything that is done;
    KeyboardInterrupt is raised again.

    Parameters
    ----------
    plan
        The runs, and what each of them gets.
    folder
        The group's folder; created if it does not exist.
    registry
        The registry with the data to grade against.
    slots
        How many runs are made at the same time, and their GPUs.
    progress
        Receives what happens to runs.
    stop
        Ends the group early.
    options
        The options to record for `resume`.

    Raises
    ------
    RunError
        The folder holds a group with another plan.
    GroupBusyError
        Another process is working on the group.
    EnvironmentUnfitError
        An agent's packages are not installed, or the sandbox does not work.
    """
    raise_file_limit(slots.number)
    kill_orphans()  # of a harness that was killed
    sweep_workplaces(folder.parent)
    sandbox = get_sandbox(plan.sandbox)
    installations = {
        name: require_installation(agent, plan.sandbox, gpu=plan.gpus > 0) for name, agent in plan.agents.items()
    }
    store = GroupStore.open(folder, plan.record, plan.runs, plan.guarantees, plan.enforcement)
    stop = StopSignal(stop)
    try:
        with GradingPool(registry) as grading, open_models(plan.models) as models:
            context = RunContext(
                sandbox,
                plan.limits,
                stop,
                runs_dir=folder.parent,
                group=store.record.head_digest(),
                obfuscated=plan.obfuscated,
                network=plan.record.network,
                grading=grading,
                checks=CheckGateway(grading),
                models=models,
                installations=installations,
            )
            worker = _Worker(plan, store, context, slots, grading, progress)
            todo = [run for run in store.record.runs.values() if run.status is not Status.GRADED]
            # A run that is graded has no slot, so further runs need threads.
            threads = slots.number + grading.gradings
            if todo:
                store.save_options(options, threads)
            with ThreadPoolExecutor(max_workers=threads, thread_name_prefix="run") as pool:
                waiting = {pool.submit(worker.complete, run) for run in todo}
                try:
                    while waiting:
                        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                        for future in done:
                            future.result()
                except BaseException:
                    stop.request(Reason.STOPPED)
                    pool.shutdown(wait=True, cancel_futures=True)
                    raise
        if not stop.is_immediate:
            store.write_results()
        return store.record
    finally:
        store.close()
        sweep_workplaces(folder.parent)


@dataclass(frozen=True)
class _Worker:
    """Makes and grades runs, one in each thread of a pool."""

    plan: Plan
    store: GroupStore
    context: RunContext
    slots: Slots
    grading: GradingPool
    progress: Progress

    def complete(self, run: RunRecord) -> None:
        """Attempt a run until it has ended, then grade it; after too many harness failures it stays planned."""
        pause = 0.0
        with self.slots.take() as gpus:
            if not self.context.stop.is_immediate:
                self.progress.started(run)
            for _ in range(HARNESS_ATTEMPTS):
                if run.status is Status.ENDED or self.context.stop.wait(pause):
                    break
                run = self._attempt(run, gpus)
                pause = pause * 4 or RETRY_SECONDS
        if self.context.stop.is_immediate and run.status is not Status.ENDED:
            return
        if run.status is Status.ENDED:
            run = self._grade(run)
        self.progress.finished(run)

    def _attempt(self, run: RunRecord, gpus: tuple[int, ...]) -> RunRecord:
        """Make the next attempt; the files of earlier ones stay."""
        run = run.model_copy(
            update={"status": Status.RUNNING, "attempt": run.attempt + 1, "started_at": now(), "ending": None}
        )
        folder = self.store.attempt_folder(run)
        if folder.exists():  # made by a process that was killed before it could write the record
            shutil.rmtree(folder)
        self.store.save(run)
        folder.mkdir(parents=True)
        agent = self.plan.agents[run.agent]
        also = functools.partial(self.progress.event, run)
        with EventLog(folder / EVENTS, also=also, on_failure=self.context.stop.request) as events:
            run = run_attempt(
                self.context,
                run,
                agent=agent,
                competition=self._competition(run),
                folder=folder,
                events=events,
                gpus=gpus,
            )
            _record(run, events)
        self.store.link_attempt(run)
        self.store.save(run, events)
        return run

    def _grade(self, run: RunRecord) -> RunRecord:
        """Grade a run's submission and its snapshots."""
        folder, competition = self.store.attempt_folder(run), self._competition(run)
        verdict = self.grading.judge(folder / "submission" / SUBMISSION, competition)
        curve = grade_snapshots(folder, verdict, lambda path: self.grading.judge(path, competition, urgent=False))
        run = run.model_copy(update={"status": Status.GRADED, "verdict": verdict})
        with EventLog(folder / EVENTS, resume=True) as events:
            events("graded", outcome=verdict.outcome, score=verdict.score, medal=verdict.medal, reason=verdict.reason)
            if curve:
                content = curve.model_dump_json(indent=2) + "\n"
                events("curve", points=len(curve.points), ungraded=curve.ungraded, sha256=digest_of(content))
                write_atomically(folder / CURVE, content)
            _record(run, events)
        self.store.save(run, events)
        return run

    def _competition(self, run: RunRecord) -> Competition:
        return self.plan.competitions[run.ref.label]


def _record(run: RunRecord, events: EventLog) -> None:
    """Log the digest of a run's record just before the record itself is written."""
    events("recorded", status=run.status, sha256=digest_of(run.as_file()))
