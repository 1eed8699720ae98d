"""The whole report."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from mlebench.analysis.model.agents import (
    AgentSummary,
    Breakdown,
    Comparison,
    Curve,
    Headline,
    VersionEffect,
    WithoutProblem,
)
from mlebench.analysis.model.base import Model
from mlebench.analysis.model.competitions import CompetitionSummary, TaskSet, TaskSummary
from mlebench.sandbox.kernel.cgroup import Enforcement

if TYPE_CHECKING:
    from mlebench.analysis.model.runs import RunResult


class GroupSummary(Model):
    """Where and how a group ran."""

    run_group: str
    created_at: datetime
    mlebench_version: str
    machine: str
    sandbox: str
    network: Literal["closed", "open"]
    obfuscated: bool
    guarantees: dict[str, bool]
    enforcement: Enforcement | None = None
    """How limits on memory were enforced; None if an earlier version of mlebench made the group."""


class ReportSummary(Model):
    """A grading report among the sources."""

    name: str
    agent: str
    rows: int


class Summary(Model):
    """The content of `report.json`."""

    format_version: Literal[1] = 1
    created_at: datetime
    basis: Literal["results", "rehearsal"]
    """`rehearsal` if every finished run used synthetic data: then nothing here is a result."""
    runs: int
    runs_finished: int
    runs_counted: int
    """Finished runs on real data."""
    caveats: tuple[str, ...]
    groups: tuple[GroupSummary, ...]
    reports: tuple[ReportSummary, ...] = ()
    agents: tuple[AgentSummary, ...]
    headline: Headline | None = None
    """None if no competition that counts has a void or saturated leaderboard."""
    comparisons: tuple[Comparison, ...] = ()
    versions: tuple[VersionEffect, ...] = ()
    """For agents with runs of a competition in v1 and in v2."""
    breakdowns: tuple[Breakdown, ...] = ()
    curves: tuple[Curve, ...] = ()
    task_set: TaskSet | None = None
    """None if no run counts."""
    tasks: tuple[TaskSummary, ...] = ()
    """The competitions that count, in the order of `competitions`."""
    problems: tuple[WithoutProblem, ...] = ()
    left_out: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Competitions that were left out on request, with the kinds of known problems that were the reason."""
    competitions: tuple[CompetitionSummary, ...]

    def all_runs(self) -> list[RunResult]:
        """Return all runs, by competition, agent and seed."""
        return [run for competition in self.competitions for run in competition.runs]
