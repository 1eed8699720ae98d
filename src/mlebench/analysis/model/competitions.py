"""What is known about competitions, and what agents achieved in each."""

from __future__ import annotations

from typing import Literal

from mlebench.analysis.model.base import Interval, Model
from mlebench.analysis.model.rates import Estimate
from mlebench.analysis.model.runs import RunResult
from mlebench.tasks.medals import Thresholds


class CompetitionFacts(Model):
    """Properties of one competition; None if unknown."""

    complexity: str | None = None
    category: str | None = None
    year: int | None = None
    problems: tuple[str, ...] = ()
    """Kinds of the known problems of this version, such as `leak` and `metric`."""
    fit: str | None = None
    """How well scores compare with the leaderboard: `same`, `close`, `loose` or `void`."""
    headline: bool = True
    """Whether the competition counts in the headline; False where the leaderboard is void or saturated."""


class LeaderboardShape(Model):
    """How the teams of a leaderboard are spread around its thresholds."""

    gold_to_bronze: float | None
    """Distance of the thresholds in interquartile ranges of all scores; None if that range is 0."""
    gold_to_median: float | None
    """Distance of the gold threshold from the median team, in the same unit."""
    crowding: float
    """Percentage of teams at most as far from the bronze threshold as gold is."""
    tied: tuple[int, int, int]
    """Teams with exactly the score of the gold, silver and bronze threshold."""
    quantiles: tuple[float, ...]
    """Scores from the worst team to the best, in equal steps of teams."""


class TaskSummary(Model):
    """How well one competition tells the agents of this report apart."""

    competition: str
    attempts: int
    """Runs that enter the means."""
    medals: int
    """Those of `attempts` with a medal."""
    medalists: Literal["nobody", "some", "everybody"] | None
    """Which of these runs have a medal; None without runs."""
    problems: tuple[str, ...]
    fit: str | None = None
    """As in `CompetitionFacts`."""
    shape: LeaderboardShape | None
    """None if the leaderboard is unknown here."""


class TaskSet(Model):
    """How well all competitions together tell agents apart, by medals."""

    competitions: int
    nobody: int
    """Competitions in which no run has a medal: they separate these agents only from better ones."""
    everybody: int
    """Competitions in which every run has a medal."""
    telling: float
    """`statistics.telling_tasks` over the runs of all agents."""
    independent: float | None
    """`statistics.independent_tasks` over the agents; None if it cannot be estimated."""
    independent_interval: Interval | None
    """Of 95 %."""
    why_not: str | None
    """Why `independent` cannot be estimated: a sentence."""


class CellSummary(Model):
    """One agent in one competition."""

    agent: str
    runs: tuple[RunResult, ...]
    """In the order of seeds."""
    score: Estimate
    """Over the runs with a finite score; in the unit of the competition's metric."""
    best_score: float | None


class CompetitionSummary(Model):
    """One competition in one version."""

    competition: str
    counted: bool
    """Whether it enters the main table."""
    lower_is_better: bool | None
    """None, as the leaderboard, until a run is graded."""
    leaderboard: Literal["human", "models"] | None
    teams: int | None
    thresholds: Thresholds | None
    facts: CompetitionFacts
    cells: tuple[CellSummary, ...]

    @property
    def runs(self) -> list[RunResult]:
        """The runs of all agents, by agent and seed."""
        return [run for cell in self.cells for run in cell.runs]
