"""What a group of runs leaves on disk, as models: `metadata.json` of the group and `run.json` of each run."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from mlebench.grading.reports import Outcome, Verdict
from mlebench.sandbox.ending import Ending
from mlebench.sandbox.kernel.cgroup import Enforcement
from mlebench.sandbox.limits import Limits
from mlebench.tasks.medals import Medal
from mlebench.tasks.ref import TaskRef, Version


class Status(StrEnum):
    """The state of a run."""

    PLANNED = "planned"
    RUNNING = "running"
    ENDED = "ended"
    """The agent has ended and its files are collected."""
    GRADED = "graded"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants")


class UsageRecord(_Model):
    """What a run has used of models so far."""

    requests: int
    input_tokens: int
    """Including those from a cache."""
    output_tokens: int
    money: float | None
    """US dollars; None if the price of a model is unknown."""


class CurvePoint(_Model):
    """One submission that an agent had in place, and what it was worth."""

    seconds: float
    """Wall time since the start of the agent."""
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
    """Snapshots that the time limit left ungraded."""


class Regrade(_Model):
    """A later verdict on the same submission, beside the first one."""

    mlebench_version: str
    verdict: Verdict


class RunRecord(_Model):
    """Everything that is known about one run: one agent, one competition, one seed."""

    format_version: Literal[1] = 1
    run_id: str
    competition_id: str
    version: Version
    agent: str
    seed: int
    status: Status = Status.PLANNED
    attempt: int = 0
    """Number of the attempt that counts; the harness interrupted the earlier ones."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    ending: Ending | None = None
    submission_bytes: int | None = None
    """Size of the collected submission; None if there is none."""
    refused_files: int = 0
    """Links, devices and other files that were not collected."""
    description: Literal["brief", "kaggle", "obfuscated"] = "brief"
    """Which text of the task the agent got: our brief, Kaggle's pages, or our brief without the competition's name."""
    usage: UsageRecord | None = None
    """What the run used of models; None without a model gateway."""
    snapshots: int = 0
    """Submissions that were kept while the agent worked; their scores are in `curve.json`."""
    salvaged: str | None = None
    """A sentence that names the snapshot if the submission is a salvaged one."""
    incident: str | None = None
    """What failed in the harness after the agent had ended: the run counts with what could be collected."""
    verdict: Verdict | None = None
    """The first verdict; regrading does not change it."""
    regrades: tuple[Regrade, ...] = ()

    @model_serializer(mode="wrap")
    def _as_written(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out the field that records of earlier versions lack, so that these keep their bytes."""
        fields: dict[str, Any] = serialize(self)
        if self.incident is None:
            fields.pop("incident", None)
        return fields

    @property
    def ref(self) -> TaskRef:
        """The task: competition and version."""
        return TaskRef(self.competition_id, self.version)

    @property
    def as_planned(self) -> RunRecord:
        """The record before the run started."""
        names = ("run_id", "competition_id", "version", "agent", "seed", "description")
        return RunRecord(**{name: getattr(self, name) for name in names})

    def as_file(self) -> str:
        """Return the content of `run.json`."""
        return self.model_dump_json(indent=2) + "\n"


class ModelsRecord(_Model):
    """The models that agents could ask, and the budget of each run; None means unlimited."""

    names: tuple[str, ...]
    mode: str
    """`live`, `record`, `replay` or `continue`."""
    requests: int | None
    tokens: int | None
    money: float | None
    """US dollars."""
    hosted_tools: bool
    """Whether agents could use tools that the provider hosts; these reach the network."""
    config: str
    """SHA-256 of the whole configuration, which contains no keys."""
    allowed_fields: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Fields of requests that agents could send in addition to the gateway's list, by upstream."""

    @model_serializer(mode="wrap")
    def _omit_empty(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out `allowed_fields` if it is empty: the names of groups are digests of such records."""
        content: dict[str, Any] = serialize(self)
        return content if self.allowed_fields else {name: content[name] for name in content if name != "allowed_fields"}


class PlanRecord(_Model):
    """What a group of runs does; the same command gives the same plan."""

    agents: tuple[str, ...]
    competitions: tuple[str, ...]
    seeds: int
    sandbox: str
    network: Literal["closed", "open"]
    obfuscated: bool = False
    """Whether agents got the brief that does not name the competition."""
    limits: Limits
    profile: str | None = None
    """Name of the resource profile; None without a profile."""
    gpus: int = 0
    """Number of GPUs of each run."""
    models: ModelsRecord | None = None
    variables: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Environment variables with the settings and model of each agent, by the agent's id."""
    experiment: str | None = None
    """Name of the experiment, with `(changed)` if options replaced parts of it."""


class GroupRecord(_Model):
    """The content of `metadata.json`."""

    format_version: Literal[1] = 1
    run_group: str
    created_at: datetime
    mlebench_version: str
    machine: str
    """Description of cores, memory and system."""
    guarantees: dict[str, bool]
    """What the sandbox guaranteed."""
    enforcement: Enforcement | None = None
    """How limits on memory were enforced where the group was created; None if an earlier version created it."""
    plan: PlanRecord
    runs: dict[str, RunRecord]
    results: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of the files for other programs, by name; written when all runs have ended."""
    log: Literal["group.jsonl"] | None = None
    """The group's log; None in groups that earlier versions have started."""

    @property
    def planned(self) -> dict[str, RunRecord]:
        """The records of the runs before they started, by id."""
        return {run_id: run.as_planned for run_id, run in self.runs.items()}

    def as_file(self) -> str:
        """Return the content of `metadata.json`."""
        return self.model_dump_json(indent=2, exclude=self._unset) + "\n"

    def head_digest(self) -> str:
        """Return the SHA-256 of the fields that do not change; each run logs it at its start."""
        return digest_of(self.model_dump_json(exclude={"runs", "results", *self._unset}))

    @property
    def _unset(self) -> set[str]:
        return {name for name in ("log", "enforcement") if getattr(self, name) is None}


def digest_of(content: str) -> str:
    """Return the SHA-256 of a file's content."""
    return hashlib.sha256(content.encode()).hexdigest()
