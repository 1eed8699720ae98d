"""One attempt at a run: lay out its folder, open the submission check, run the agent, collect what it left."""

from __future__ import annotations

import dataclasses
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import mlebench.gateway
from mlebench.errors import EnvironmentUnfitError
from mlebench.files import DISK_FULL
from mlebench.gateway.check import CheckServer
from mlebench.grade import check_submission
from mlebench.intake import size_allowed
from mlebench.reports import now
from mlebench.runs.events import EventLog
from mlebench.runs.instructions import write_instructions
from mlebench.runs.record import EndingRecord, Status
from mlebench.runs.store import machine_in_words
from mlebench.sandbox.base import Ending, GiB, Hole, Job, Limits, Reason
from mlebench.sandbox.collect import collect

if TYPE_CHECKING:
    import threading

    from mlebench.agents.declaration import Agent
    from mlebench.competition import Competition
    from mlebench.runs.record import RunRecord
    from mlebench.sandbox.base import Sandbox

CHECK_PORT = 5000
TOOLS = Path(mlebench.gateway.__file__).parent / "tools"
COLLECTED = {"submission": (4 * GiB, 1_000), "code": (GiB, 10_000), "logs": (4 * GiB, 10_000)}
"""Most bytes and files that are taken in from each folder."""
SUBMISSION = "submission.csv"

logger = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Runner:
    """Makes attempts: everything that does not change from run to run."""

    sandbox: Sandbox
    limits: Limits
    stop: threading.Event

    def attempt(self, run: RunRecord, agent: Agent, competition: Competition, folder: Path) -> RunRecord:
        """Make one attempt in an empty `folder` and return the record with what came of it.

        The agent works in `folder/home`; what may be kept is copied out of it, and the rest is removed. The
        record is back at `planned` when the harness was at fault or was told to stop.
        """
        with EventLog(folder / "events.jsonl") as events:
            try:
                ending, refused = self._make(run, agent, competition, folder, events)
            except Exception as error:
                disk_full = isinstance(error, OSError) and error.errno in DISK_FULL
                if disk_full or isinstance(error, EnvironmentUnfitError):
                    raise  # no further attempt can do better
                logger.exception("The harness failed in run %s.", run.run_id)
                events("harness_fault", message=repr(error))
                ending, refused = Ending(Reason.HARNESS, None, 0.0, f"The harness failed: {error}"), 0
            shutil.rmtree(folder / "home", ignore_errors=True)
            submission = folder / "submission" / SUBMISSION
            size = submission.stat().st_size if submission.is_file() else None
            events("collected", submission_bytes=size, refused=refused)
        undone = ending.reason in (Reason.STOPPED, Reason.HARNESS)
        return run.model_copy(
            update={
                "status": Status.PLANNED if undone else Status.ENDED,
                "ended_at": now(),
                "ending": EndingRecord(**dataclasses.asdict(ending)),
                "submission_bytes": size,
                "refused_files": refused,
            }
        )

    def _make(
        self, run: RunRecord, agent: Agent, competition: Competition, folder: Path, events: EventLog
    ) -> tuple[Ending, int]:
        """Run the agent and collect; returns the ending and how many files were refused."""
        home = folder / "home"
        shutil.copytree(agent.folder, home / "agent", ignore=shutil.ignore_patterns("__pycache__"))
        check = CheckServer(
            folder / "check.sock",
            lambda path: check_submission(path, competition),
            events=events,
            max_bytes=size_allowed(competition.sample_submission),
        )
        with check:
            job = self._job(run, agent, competition, folder, check.socket)
            events("run", run=run.run_id, agent=agent.id, attempt=run.attempt, machine=machine_in_words())
            events("limits", **dataclasses.asdict(self.limits))
            ending = self.sandbox.run(job, self.limits, stop=self.stop, events=events)
        refused = 0
        for name, (most_bytes, most_files) in COLLECTED.items():
            collected = collect(home / name, folder / name, max_bytes=most_bytes, max_files=most_files, events=events)
            refused += collected.refused
        return ending, refused

    def _job(self, run: RunRecord, agent: Agent, competition: Competition, folder: Path, socket: Path) -> Job:
        own = {"SEED": str(run.seed), "COMPETITION_ID": competition.id}
        job = Job(
            name=run.run_id,
            command=agent.declaration.command,
            data=competition.public_dir,
            instructions=folder / "instructions.txt",
            home=folder / "home",
            log=folder / "run.log",
            tools=TOOLS,
            holes=(Hole(CHECK_PORT, socket, "VALIDATE_URL"),),
            environment=own | agent.declaration.environment,
        )
        instructions = write_instructions(competition, self.limits, self.sandbox.places(job), machine_in_words())
        job.instructions.write_text(instructions, encoding="utf-8")
        return job
