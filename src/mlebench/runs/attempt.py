"""One attempt at a run: set up its folders and ports, run the agent, collect what it left."""

from __future__ import annotations

import dataclasses
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import mlebench.gateway
from mlebench.agents.installation import Installation
from mlebench.data import MANIFEST
from mlebench.data.blind import blind_view
from mlebench.grading.intake import size_allowed
from mlebench.ground.version import __version__
from mlebench.runs.instructions import describe_hardware, write_instructions
from mlebench.runs.layout import MODEL_CALLS, SUBMISSION
from mlebench.runs.models import usage_of
from mlebench.runs.salvage import CheckedFiles, salvage
from mlebench.runs.seal import file_digest, folder_digest
from mlebench.runs.snapshots import Bounds, Snapshots
from mlebench.runs.store import describe_machine
from mlebench.runs.texts import task_text
from mlebench.runs.workplace import HOME, workplace
from mlebench.sandbox.collect import collect
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.job import Job
from mlebench.sandbox.limits import GiB
from mlebench.sandbox.port_forward import PortForward
from mlebench.sandbox.stop import StopSignal

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent
    from mlebench.gateway.models import ModelServer
    from mlebench.runs.context import RunContext
    from mlebench.runs.incidents import Incidents
    from mlebench.runs.record import RunRecord, UsageRecord
    from mlebench.sandbox.base import EventSink
    from mlebench.sandbox.ending import Ending
    from mlebench.sandbox.limits import Limits
    from mlebench.tasks.competition import Competition

CHECK_PORT, MODELS_PORT = 5000, 4000
MODEL_VARIABLES = {"MODELS_URL": "", "OPENAI_BASE_URL": "/v1", "OPENAI_API_BASE": "/v1", "ANTHROPIC_BASE_URL": ""}
"""Where the official clients and LiteLLM look for another address."""
TOOLS = Path(mlebench.gateway.__file__).parent / "tools"
COLLECTED = {"submission": (4 * GiB, 1_000), "code": (GiB, 10_000), "logs": (4 * GiB, 10_000)}
"""Maximum of bytes and of files that are collected from each folder."""


@dataclasses.dataclass(frozen=True, slots=True)
class AttemptResult:
    """What an attempt came to; fields of the run's record."""

    ending: Ending
    submission_bytes: int | None = None
    """Size of the collected submission; None if there is none."""
    refused_files: int = 0
    """Links, devices and other files that were not collected."""
    snapshots: int = 0
    """Submissions that were kept while the agent worked."""
    salvaged: str | None = None
    """Which snapshot the submission is, if it is one: a sentence."""
    usage: UsageRecord | None = None
    """What the run used of models; None without a model gateway."""


@dataclasses.dataclass(frozen=True)
class Attempt:
    """One attempt at a run."""

    context: RunContext
    run: RunRecord
    agent: Agent
    competition: Competition
    folder: Path
    limits: Limits
    events: EventSink

    @property
    def installation(self) -> Installation:
        return self.context.installations.get(self.agent.id, Installation())

    def make(self, incidents: Incidents) -> AttemptResult:
        """Run the agent, and collect and salvage what it left.

        What fails after the agent has ended is an incident; anything before it is raised.
        """
        stop = StopSignal(self.context.stop)
        max_bytes = size_allowed(self.competition.sample_submission)
        files = CheckedFiles(lambda path: self.context.grading.check(path, self.competition), self.events)
        with workplace(self.context.runs_dir, self.limits.disk) as place:
            home = place / HOME
            self.agent.copy_to(home / "agent")
            with ExitStack() as stack:
                check = self.context.checks.serve_run(place / "check.sock", self.competition, events=files)
                port_forwards = [PortForward(CHECK_PORT, stack.enter_context(check).socket_path, {"VALIDATE_URL": ""})]
                models = self._model_server(place, stop)
                if models:
                    port_forwards.append(
                        PortForward(MODELS_PORT, stack.enter_context(models).socket_path, MODEL_VARIABLES)
                    )
                job = self._job(place, port_forwards)
                self._record_inputs(job)
                snapshots = Snapshots(
                    home / "submission" / SUBMISSION,
                    self.folder,
                    events=self.events,
                    usage=lambda: usage_of(models),
                    bounds=Bounds(file_bytes=max_bytes),
                )
                stack.enter_context(snapshots)
                ending = self.context.sandbox.run(job, self.limits, stop=stop, events=self.events)
                incidents.ending = ending
                with incidents.during("taking the last snapshot"):
                    stack.close()
            refused = 0
            with incidents.during("collecting the files"):
                refused = self._collect(home)
        submission = self.folder / "submission" / SUBMISSION
        salvaged = None
        with incidents.during("salvaging the submission"):
            salvaged = salvage(submission, ending.reason, snapshots, files, self.events)
        size = submission.stat().st_size if submission.is_file() else None
        self.events("collected", submission_bytes=size, refused=refused)
        return AttemptResult(
            ending=ending,
            submission_bytes=size,
            refused_files=refused,
            snapshots=len(snapshots.taken),
            salvaged=salvaged,
            usage=usage_of(models),
        )

    def _model_server(self, place: Path, stop: StopSignal) -> ModelServer | None:
        if self.context.models is None:
            return None
        return self.context.models.serve_run(
            place / "models.sock",
            run_id=self.run.run_id,
            events=self.events,
            log=self.folder / MODEL_CALLS,
            on_exhausted=lambda message: stop.request(Reason.BUDGET, message),
        )

    def _job(self, place: Path, port_forwards: list[PortForward]) -> Job:
        blind = self.context.obfuscated
        variables = {"SEED": str(self.run.seed), "HARDWARE": describe_hardware(self.limits)}
        if self.context.models:
            variables |= dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY"), "unused")  # clients require one
        if not blind:
            variables["COMPETITION_ID"] = self.competition.id
        job = Job(
            name=self.run.run_id,
            command=self.agent.declaration.command,
            data=blind_view(self.competition) if blind else self.competition.public_dir,
            instructions=place / "instructions.txt",
            home=place / HOME,
            log=self.folder / "run.log",
            tools=TOOLS,
            port_forwards=tuple(port_forwards),
            environment=variables | self.agent.declaration.variables(),
            network=self.context.network,
            image=self.installation.image,
            python=self.installation.python,
        )
        brief = task_text(self.competition, self.run.description)
        paths = self.context.sandbox.paths(job)
        instructions = write_instructions(brief, self.limits, paths, network=job.network)
        for path in (job.instructions, self.folder / "instructions.txt"):
            path.write_text(instructions, encoding="utf-8")
        return job

    def _record_inputs(self, job: Job) -> None:
        """Log what the attempt gets, before it starts."""
        manifest = self.competition.prepared_dir / MANIFEST
        self.events(
            "run",
            run=self.run.run_id,
            attempt=self.run.attempt,
            group=self.context.group,
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
        """Copy out what may be kept; return the number of refused files."""
        refused = 0
        left = self.limits.disk  # a copy of a sparse file takes its full size
        for name, (max_bytes, max_files) in COLLECTED.items():
            max_bytes = max_bytes if left is None else min(max_bytes, left)
            collected = collect(
                home / name, self.folder / name, max_bytes=max_bytes, max_files=max_files, events=self.events
            )
            refused += collected.refused
            left = None if left is None else left - collected.bytes
        return refused
