"""What a group of runs leaves on disk, as models: `metadata.json` of the group and `run.json` of each run.

    RUNS/GROUP/metadata.json            GroupRecord
    RUNS/GROUP/submission.jsonl         what `mlebench grade` takes
    RUNS/GROUP/grading_report.json      the verdicts in the field's common format
    RUNS/GROUP/RUN_ID/run.json          RunRecord, replaced whole at every change
    RUNS/GROUP/RUN_ID/attempts/N/       one attempt: submission/, code/, logs/, run.log, events.jsonl
    RUNS/GROUP/RUN_ID/submission        link to the last attempt's; so are code, logs, run.log and events.jsonl

A run's id is `COMPETITION_AGENT_seed-K`, the competition with `@v2` for that version.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict

from mlebench.reports import Verdict
from mlebench.sandbox.base import Reason


class Status(StrEnum):
    """How far a run has come."""

    PLANNED = "planned"
    RUNNING = "running"
    ENDED = "ended"
    """The agent is done and what it left is collected."""
    GRADED = "graded"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants")


class LimitsRecord(_Model):
    """The limits that held, in seconds, cores and bytes; None means unbounded."""

    seconds: float
    grace: float
    cpus: float | None
    memory: int | None
    processes: int | None
    disk: int | None
    log: int


class EndingRecord(_Model):
    """How the agent's job ended."""

    reason: Reason
    exit_code: int | None
    seconds: float
    detail: str
    peak_memory: int | None


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
    ending: EndingRecord | None = None
    submission_bytes: int | None = None
    """Size of the collected submission; None when the agent left none."""
    refused_files: int = 0
    """Links, devices and other things that were left behind and not collected."""
    verdict: Verdict | None = None


class PlanRecord(_Model):
    """What a group of runs was asked to do; the same command gives the same plan."""

    agents: tuple[str, ...]
    competitions: tuple[str, ...]
    seeds: int
    sandbox: str
    network: Literal["closed", "open"]
    obfuscated: bool = False
    """Whether agents got the brief that does not name the competition."""
    limits: LimitsRecord


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
