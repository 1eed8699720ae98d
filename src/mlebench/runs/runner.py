"""One attempt at a run: lay out its places, open the doors, run the agent, take in and seal what it left."""

from __future__ import annotations

import dataclasses
import logging
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mlebench.gateway
from mlebench.agents.installation import Installation
from mlebench.data import MANIFEST
from mlebench.data.blind import blind_view
from mlebench.errors import EnvironmentUnfitError
from mlebench.gateway.check import CheckServer
from mlebench.grading.check import check_submission
from mlebench.grading.intake import size_allowed
from mlebench.ground.clock import now
from mlebench.ground.files import DISK_FULL
from mlebench.ground.version import __version__
from mlebench.runs.instructions import hardware_in_words, write_instructions
from mlebench.runs.models import usage_of
from mlebench.runs.record import Status
from mlebench.runs.salvage import salvage
from mlebench.runs.seal import file_digest, folder_digest, seal
from mlebench.runs.snapshots import Bounds, Snapshots
from mlebench.runs.store import describe_machine
from mlebench.runs.texts import task_text
from mlebench.runs.workplace import workplace
from mlebench.sandbox.collect import collect
from mlebench.sandbox.ending import Ending, Reason
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import GiB, Limits
from mlebench.sandbox.port_forward import PortForward
from mlebench.sandbox.stop import StopSignal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mlebench.agents.declaration import Agent
    from mlebench.gateway.models import ModelGateway, ModelServer
    from mlebench.runs.record import RunRecord
    from mlebench.sandbox.base import EventSink, Sandbox
    from mlebench.sandbox.network import Network
    from mlebench.tasks.competition import Competition

CHECK_PORT, MODELS_PORT = 5000, 4000
MODEL_VARIABLES = {"MODELS_URL": "", "OPENAI_BASE_URL": "/v1", "OPENAI_API_BASE": "/v1", "ANTHROPIC_BASE_URL": ""}
"""Where the official clients and LiteLLM look for another address."""
MODEL_CALLS = "model_calls.jsonl"
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
    stop: StopSignal
    runs_dir: Path
    """Folder of the groups; agents work in `.work` below it."""
    group: str
    """Digest of the group's plan and machine, which each run writes down."""
    obfuscated: bool = False
    network: Network = "closed"
    models: ModelGateway | None = None
    installations: Mapping[str, Installation] = dataclasses.field(default_factory=dict)
    """What agents run on, by id; the others have what every job has."""

    def attempt(
        self,
        run: RunRecord,
        agent: Agent,
        competition: Competition,
        folder: Path,
        events: EventSink,
        gpus: tuple[int, ...] = (),
    ) -> RunRecord:
        """Make one attempt in `folder` and return the record with what came of it.

        The record is back at `planned` when the harness was at fault or was told to stop.
        """
        limits = dataclasses.replace(self.limits, gpus=gpus or None)
        try:
            facts = _Attempt(self, run, agent, competition, folder, limits, events).make()
        except Exception as error:
            disk_full = isinstance(error, OSError) and error.errno in DISK_FULL
            if disk_full or isinstance(error, EnvironmentUnfitError):
                raise  # no further attempt can do better
            logger.exception("The harness failed in run %s.", run.run_id)
            events("harness_fault", message=repr(error))
            facts = {"ending": Ending(Reason.HARNESS, None, 0.0, f"The harness failed: {error}")}
        seal(folder, events)
        ending: Ending = facts["ending"]
        undone = ending.reason in (Reason.STOPPED, Reason.HARNESS)
        return run.model_copy(
            update={
                **facts,
                "status": Status.PLANNED if undone else Status.ENDED,
                "ended_at": now(),
                "ending": ending,
            }
        )


@dataclasses.dataclass(frozen=True)
class _Attempt:
    """One attempt, with all that belongs to it."""

    runner: Runner
    run: RunRecord
    agent: Agent
    competition: Competition
    folder: Path
    limits: Limits
    events: EventSink

    @property
    def installation(self) -> Installation:
        return self.runner.installations.get(self.agent.id, Installation())

    def make(self) -> dict[str, Any]:
        """Run the agent and take in what it left; returns fields of the run's record."""
        stop = StopSignal(self.runner.stop)
        most = size_allowed(self.competition.sample_submission)
        with workplace(self.runner.runs_dir) as place:
            home = place / "home"
            self.agent.copy_to(home / "agent")
            with ExitStack() as servers:
                check = CheckServer(
                    place / "check.sock",
                    lambda path: check_submission(path, self.competition),
                    events=self.events,
                    max_bytes=most,
                )
                port_forwards = [
                    PortForward(CHECK_PORT, servers.enter_context(check).socket_path, {"VALIDATE_URL": ""})
                ]
                models = self._model_server(place, stop)
                if models:
                    port_forwards.append(
                        PortForward(MODELS_PORT, servers.enter_context(models).socket_path, MODEL_VARIABLES)
                    )
                job = self._job(place, port_forwards)
                self._write_down(job)
                watched = home / "submission" / SUBMISSION
                snapshots = Snapshots(
                    watched,
                    self.folder,
                    events=self.events,
                    usage=lambda: usage_of(models),
                    bounds=Bounds(file_bytes=most),
                )
                with snapshots:
                    ending = self.runner.sandbox.run(job, self.limits, stop=stop, events=self.events)
            refused = self._collect(home)
        submission = self.folder / "submission" / SUBMISSION
        salvaged = salvage(submission, ending.reason, snapshots, self.competition, self.events)
        size = submission.stat().st_size if submission.is_file() else None
        self.events("collected", submission_bytes=size, refused=refused)
        return {
            "ending": ending,
            "submission_bytes": size,
            "refused_files": refused,
            "snapshots": len(snapshots.taken),
            "salvaged": salvaged,
            "usage": usage_of(models),
        }

    def _model_server(self, place: Path, stop: StopSignal) -> ModelServer | None:
        if self.runner.models is None:
            return None
        return self.runner.models.serve_run(
            place / "models.sock",
            run_id=self.run.run_id,
            events=self.events,
            log=self.folder / MODEL_CALLS,
            on_exhausted=lambda message: stop.request(Reason.BUDGET, message),
        )

    def _job(self, place: Path, port_forwards: list[PortForward]) -> Job:
        blind = self.runner.obfuscated
        own = {"SEED": str(self.run.seed), "HARDWARE": hardware_in_words(self.limits)}
        if self.runner.models:
            own |= dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY"), "unused")  # clients want one
        if not blind:
            own["COMPETITION_ID"] = self.competition.id
        job = Job(
            name=self.run.run_id,
            command=self.agent.declaration.command,
            data=blind_view(self.competition) if blind else self.competition.public_dir,
            instructions=place / "instructions.txt",
            home=place / "home",
            log=self.folder / "run.log",
            tools=TOOLS,
            port_forwards=tuple(port_forwards),
            environment=own | self.agent.declaration.variables(),
            network=self.runner.network,
            image=self.installation.image,
            python=self.installation.python,
        )
        brief = task_text(self.competition, self.run.description)
        paths = self.runner.sandbox.paths(job)
        instructions = write_instructions(brief, self.limits, paths, network=job.network)
        for path in (job.instructions, self.folder / "instructions.txt"):
            path.write_text(instructions, encoding="utf-8")
        return job

    def _write_down(self, job: Job) -> None:
        """Say what goes in, before it does."""
        manifest = self.competition.prepared_dir / MANIFEST
        self.events(
            "run",
            run=self.run.run_id,
            attempt=self.run.attempt,
            group=self.runner.group,
            mlebench_version=__version__,
            machine=describe_machine(),
        )
        self.events(
            "inputs",
            competition=self.competition.id,
            version=self.competition.version,
            manifest=file_digest(manifest) if manifest.is_file() else None,
            agent=self.agent.id,
            agent_files=folder_digest(job.home / "agent"),
            agent_packages=self.installation.digest,
            description=self.run.description,
            instructions=file_digest(job.instructions),
        )
        self.events("limits", **dataclasses.asdict(self.limits))

    def _collect(self, home: Path) -> int:
        """Copy out what may be kept; returns how many files were refused."""
        refused = 0
        left = self.limits.disk  # sparse files, which took nothing of it, would take their size when copied
        for name, (most_bytes, most_files) in COLLECTED.items():
            most_bytes = most_bytes if left is None else min(most_bytes, left)
            collected = collect(
                home / name, self.folder / name, max_bytes=most_bytes, max_files=most_files, events=self.events
            )
            refused += collected.refused
            left = None if left is None else left - collected.bytes
        return refused
