"""The content of `report.json`: what agents achieved, over competitions and seeds."""

from __future__ import annotations

import math
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Self

from pydantic import BaseModel, ConfigDict

from mlebench.analysis import statistics
from mlebench.analysis.facts import CompetitionFacts
from mlebench.analysis.results import RunResult
from mlebench.medals import Medal, Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class Rate(StrEnum):
    """The columns of the main table: the percentage of competitions whose submission is or earns this."""

    SUBMITTED = "submitted"
    VALID = "valid"
    ABOVE_MEDIAN = "above_median"
    """Strictly better than the median team."""
    BRONZE = "bronze"
    """Exactly bronze; the three medals exclude each other."""
    SILVER = "silver"
    GOLD = "gold"
    ANY_MEDAL = "any_medal"

    @property
    def heading(self) -> str:
        """What the column is called."""
        return self.replace("_", " ").capitalize()

    def holds(self, run: RunResult) -> bool:
        """Whether a run counts in this column."""
        if self is Rate.ANY_MEDAL:
            return run.medal is not None
        if self in (Rate.BRONZE, Rate.SILVER, Rate.GOLD):
            return run.medal is Medal(self)
        value: bool = getattr(run, self)
        return value


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Estimate(_Model):
    """A mean over seeds."""

    per_seed: tuple[float, ...]
    mean: float | None
    """None where there is no value."""
    sem: float | None
    """Standard error of the mean over seeds; None for fewer than two values."""

    @classmethod
    def over(cls, values: Sequence[float]) -> Self:
        mean, sem = statistics.mean(values), statistics.standard_error(values)
        return cls(per_seed=tuple(values), mean=known(mean), sem=known(sem))


class RateEstimate(Estimate):
    """A percentage of competitions: `per_seed`, `mean` and all errors in percent."""

    pooled_sem: float | None = None
    """Standard error as if all attempts were drawn on their own, as in the paper's tables."""
    interval: tuple[float, float] | None = None
    """Student's t interval of 95 % over seeds: for these competitions, more seeds."""
    clustered_interval: tuple[float, float] | None = None
    """Bootstrap interval of 95 % over competitions and seeds: for other competitions like these."""

    @classmethod
    def of(cls, held: NDArray[np.float64]) -> Self:
        """Estimate from 0 or 1 for each attempt, of shape (n_competitions, n_seeds)."""
        percent = 100 * held
        estimate = cls.over(percent.mean(axis=0).tolist() if percent.size else [])
        return estimate.model_copy(
            update={
                "pooled_sem": known(statistics.pooled_standard_error(percent)),
                "interval": _possible(statistics.t_interval(estimate.per_seed)),
                "clustered_interval": _possible(statistics.clustered_interval(percent)),
            }
        )


def _possible(ends: tuple[float, float]) -> tuple[float, float] | None:
    """Return an interval of a percentage without what no percentage can be."""
    return None if math.isnan(ends[0]) else (max(0.0, ends[0]), min(100.0, ends[1]))


def known(value: float) -> float | None:
    """Return a number, or None for NaN, for which JSON has no word."""
    return None if math.isnan(value) else value


def known_interval(ends: tuple[float, float]) -> tuple[float, float] | None:
    """Return an interval, or None where there is none."""
    return None if math.isnan(ends[0]) else ends


class Rule(StrEnum):
    """Which seeds enter the means."""

    COMPLETE = "complete seeds"
    """Those in which every competition is finished."""
    ALL = "all seeds"
    """There is no complete one: all that have a finished run, unfinished runs counting as nothing submitted."""
    PADDED = "padded seeds"
    """All, as was asked for: every run that is missing counts as nothing submitted."""


class AgentSummary(_Model):
    """A row of the main table."""

    agent: str
    rates: dict[Rate, RateEstimate]
    """`per_seed` belongs to `seeds_counted`."""
    seeds: tuple[int, ...]
    seeds_counted: tuple[int, ...]
    """The seeds that entered the means."""
    rule: Rule
    competitions: tuple[str, ...]
    """The competitions that entered the means."""
    runs: int
    runs_finished: int
    runs_missing: int
    """Runs that were planned, or are needed for a complete set, and are not finished."""
    runs_left_over: int = 0
    """Finished runs on real data that did not enter the means: their seed is not complete, or their competition is not
    among those asked for."""
    runs_padded: int = 0
    """Missing runs that entered the means as failures."""
    pass_at_k: tuple[float, ...] = ()
    """Percentage of competitions with a medal in the best of k attempts, for k from 1 on; without bias."""
    best_of_k: tuple[float, ...] = ()
    """Mean over competitions of the expected best normalised score of k attempts, for k from 1 on, each score cut to
    [0, 1] and 0 without a valid submission; empty where a normalised score is unknown."""


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
    competitions: tuple[CompetitionSummary, ...]

    def all_runs(self) -> list[RunResult]:
        """Return the results of all runs, by competition, agent and seed."""
        return [run for competition in self.competitions for cell in competition.cells for run in cell.runs]
