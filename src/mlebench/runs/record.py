"""What a group of runs leaves on disk, as models: `metadata.json` of the group and `run.json` of each run."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from mlebench.grading.reports import Outcome, Verdict
from mlebench.sandbox.ending import Ending
from mlebench.sandbox.limits import Limits
from mlebench.tasks.medals import Medal
from mlebench.tasks.ref import TaskRef, Version


class Status(StrEnum):
    """How far a run has come."""

    PLANNED = "planned"
    RUNNING = "running"
    ENDED = "ended"
    """The agent is done and what it left is collected."""
    GRADED = "graded"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants")


class UsageRecord(_Model):
    """What a run has used of models so far."""

    requests: int
    input_tokens: int
    """Those that came from a cache included."""
    output_tokens: int
    money: float | None
    """US dollars; None where a model's price is unknown."""


class CurvePoint(_Model):
    """One submission that an agent had in place for a while, and what it was worth."""

    seconds: float
    """Wall time since the agent was started."""
    sha256: str
    bytes: int
    usage: UsageRecord | None
    """What the run had used of models by then; None without a model gateway."""
    outcome: Outcome
    score: float | None
    medal: Medal | None


class CurveRecord(_Model):
    """The content of `curve.json`: the score over time, tokens and money."""

    format_version: Literal[1] = 1
    points: tuple[CurvePoint, ...]
    ungraded: int = 0
    """Snapshots in between for whose grading there was no time."""


class Regrade(_Model):
    """A later verdict on the same submission, beside the first one."""

    mlebench_version: str
    verdict: Verdict


class RunRecord(_Model):
    """Everything that is known about one run: one agent, one competition, one seed."""

    format_version: Literal[1] = 1
    run_id: str
    competition_id: str
    version: str
    agent: str
    seed: int
    status: Status = Status.PLANNED
    attempt: int = 0
    """Number of the attempt that counts; earlier ones were cut short by the harness."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    ending: Ending | None = None
    submission_bytes: int | None = None
    """Size of the collected submission; None when the agent left none."""
    refused_files: int = 0
    """Links, devices and other things that were left behind and not collected."""
    description: Literal["brief", "kaggle", "obfuscated"] = "brief"
    """Which text of the task the agent got: ours, the competition's own pages, or ours without its name."""
    usage: UsageRecord | None = None
    """What it used of models; None without a model gateway."""
    snapshots: int = 0
    """Submissions that were kept while it worked; their scores are in `curve.json`."""
    salvaged: str | None = None
    """Where the submission came from if not from the folder at the end: a sentence."""
    verdict: Verdict | None = None
    """The first verdict; regrading does not change it."""
    regrades: tuple[Regrade, ...] = ()

    @property
    def ref(self) -> TaskRef:
        """The task: competition and version."""
        return TaskRef(self.competition_id, Version(self.version))

    def as_file(self) -> str:
        """Return the content of `run.json`."""
        return self.model_dump_json(indent=2) + "\n"


class ModelsRecord(_Model):
    """The models that agents could ask, and what each run was allowed; None means unbounded."""

    names: tuple[str, ...]
    mode: str
    """`live`, `record`, `replay` or `continue`."""
    requests: int | None
    tokens: int | None
    money: float | None
    """US dollars."""
    hosted_tools: bool
    """Whether agents could use tools at the provider: a way out to the network."""
    config: str
    """SHA-256 of the whole configuration; it holds no key."""


class PlanRecord(_Model):
    """What a group of runs was asked to do; the same command gives the same plan."""

    agents: tuple[str, ...]
    competitions: tuple[str, ...]
    seeds: int
    sandbox: str
    network: Literal["closed", "open"]
    obfuscated: bool = False
    """Whether agents got the brief that does not name the competition."""
    limits: Limits
    profile: str | None = None
    """Name of the resource profile; None if the limits are nobody's profile."""
    gpus: int = 0
    """Graphics processors of each run."""
    models: ModelsRecord | None = None
    variables: dict[str, dict[str, str]] = Field(default_factory=dict)
    """What each agent was told of its settings and its model, by the agent's id."""
    experiment: str | None = None
    """Name of the experiment that this is; `(changed)` where options said otherwise."""


class GroupRecord(_Model):
    """The content of `metadata.json`."""

    format_version: Literal[1] = 1
    run_group: str
    created_at: datetime
    mlebench_version: str
    machine: str
    """Cores, memory and system in words."""
    guarantees: dict[str, bool]
    """What the sandbox protected."""
    plan: PlanRecord
    runs: dict[str, RunRecord]
    results: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of the files that other programs read, by name; they are written when all runs have ended."""

    def as_file(self) -> str:
        """Return the content of `metadata.json`."""
        return self.model_dump_json(indent=2) + "\n"

    def head_digest(self) -> str:
        """Return the SHA-256 of all that does not change, which each run writes down at its start."""
        return digest_of(self.model_dump_json(exclude={"runs", "results"}))


def digest_of(content: str) -> str:
    """Return the SHA-256 of a file's content."""
    return hashlib.sha256(content.encode()).hexdigest()
