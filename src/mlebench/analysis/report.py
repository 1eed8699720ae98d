"""The content of `report.json`: what agents achieved, over competitions and seeds."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from mlebench.analysis.agent_summary import AgentSummary
from mlebench.analysis.curves import Curve
from mlebench.analysis.estimates import Estimate, Rate, RateEstimate
from mlebench.analysis.facts import CompetitionFacts
from mlebench.analysis.results import RunResult
from mlebench.analysis.tasks import TaskSet, TaskSummary
from mlebench.tasks.medals import Thresholds


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Comparison(_Model):
    """Two agents over the competitions that both have, by their means over seeds, in percent."""

    first: str
    second: str
    rate: Rate
    competitions: int
    better: int
    """Competitions in which the first agent has more."""
    worse: int
    difference: float
    """First minus second."""
    interval: tuple[float, float] | None
    """Student's t interval of 95 % over competitions."""
    sign_p: float
    permutation_p: float
    detectable: float | None
    """The smallest true difference that as many competitions and seeds find in four cases of five."""


class Part(_Model):
    """Some of the competitions, such as those of one category."""

    label: str
    competitions: tuple[str, ...]
    agents: tuple[AgentSummary, ...]


class Trend(_Model):
    """How an agent's medals go with the year of a competition."""

    agent: str
    competitions: int
    correlation: float | None
    """Spearman's rank correlation over competitions; None where years or medals do not differ."""
    interval: tuple[float, float] | None
    """Of 95 %."""


class Breakdown(_Model):
    """The results by something that is known of competitions."""

    by: Literal["complexity", "category", "year"]
    parts: tuple[Part, ...]
    trends: tuple[Trend, ...] = ()
    """For years."""


class WithoutProblem(_Model):
    """An agent with and without the competitions that have a known problem."""

    agent: str
    problem: str
    """Its kind, such as `leak`."""
    competitions: tuple[str, ...]
    """Those of the agent's competitions that have it."""
    medals: int
    """Runs with a medal that entered the means."""
    medals_touched: int
    """Those of them in competitions with the problem."""
    above_median: RateEstimate
    """Without these competitions, over the same seeds."""
    any_medal: RateEstimate


class CellSummary(_Model):
    """One agent in one competition."""

    agent: str
    runs: tuple[RunResult, ...]
    """By seed."""
    score: Estimate
    """Over the graded runs whose score is finite; in the unit of the competition's metric."""
    best_score: float | None


class CompetitionSummary(_Model):
    """One competition in one version."""

    competition: str
    counted: bool
    """Whether it entered the main table."""
    lower_is_better: bool | None
    """This and the leaderboard are None as long as no run is graded."""
    leaderboard: Literal["human", "models"] | None
    teams: int | None
    thresholds: Thresholds | None
    facts: CompetitionFacts
    cells: tuple[CellSummary, ...]


class GroupSummary(_Model):
    """Where and how a group ran."""

    run_group: str
    created_at: datetime
    mlebench_version: str
    machine: str
    sandbox: str
    network: Literal["closed", "open"]
    obfuscated: bool
    guarantees: dict[str, bool]


class ReportSummary(_Model):
    """A grading report that was read."""

    name: str
    agent: str
    rows: int


class Summary(_Model):
    """The content of `report.json`."""

    format_version: Literal[1] = 1
    created_at: datetime
    basis: Literal["results", "rehearsal"]
    """`rehearsal` when every finished run was made on synthetic data: nothing here is a result then."""
    runs: int
    runs_finished: int
    runs_counted: int
    """Finished runs on real data."""
    caveats: tuple[str, ...]
    groups: tuple[GroupSummary, ...]
    reports: tuple[ReportSummary, ...] = ()
    agents: tuple[AgentSummary, ...]
    comparisons: tuple[Comparison, ...] = ()
    breakdowns: tuple[Breakdown, ...] = ()
    curves: tuple[Curve, ...] = ()
    task_set: TaskSet | None = None
    """None where no run counts."""
    tasks: tuple[TaskSummary, ...] = ()
    """Those that count, in the order of `competitions`."""
    problems: tuple[WithoutProblem, ...] = ()
    left_out: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Competitions that do not count since a known problem of a kind was asked to be left out, by competition."""
    competitions: tuple[CompetitionSummary, ...]

    def all_runs(self) -> list[RunResult]:
        """Return the results of all runs, by competition, agent and seed."""
        return [run for competition in self.competitions for cell in competition.cells for run in cell.runs]
