"""What agents achieved: rows of the main table, comparisons, breakdowns and curves."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from mlebench.analysis.model.base import Interval, Model
from mlebench.analysis.model.rates import Rate, RateEstimate


class Rule(StrEnum):
    """Which seeds enter the means of an agent."""

    COMPLETE = "complete seeds"
    """The seeds in which every competition is finished."""
    ALL = "all seeds"
    """No seed is complete: all seeds with a finished run; an unfinished run counts as not submitted."""
    PADDED = "padded seeds"
    """All seeds, because `pad_missing` was set: a missing run counts as not submitted."""


class AgentSummary(Model):
    """One agent: a row of the main table."""

    agent: str
    rates: dict[Rate, RateEstimate]
    """`per_seed` is in the order of `seeds_counted`."""
    seeds: tuple[int, ...]
    seeds_counted: tuple[int, ...]
    """The seeds that enter the means."""
    rule: Rule
    competitions: tuple[str, ...]
    """The competitions that enter the means."""
    runs: int
    runs_finished: int
    runs_missing: int
    """Runs that are planned, or that a complete set needs, and that are not finished."""
    runs_left_over: int = 0
    """Finished runs on real data that do not enter the means: their seed or competition does not count."""
    runs_padded: int = 0
    """Missing runs that enter the means as failures."""
    pass_at_k: tuple[float, ...] = ()
    """Percentage of competitions with a medal in the best of k attempts, for k = 1, 2, ...; an unbiased estimate."""
    best_of_k: tuple[float, ...] = ()
    """Expected best normalised score of k attempts, averaged over competitions, for k = 1, 2, ...; scores are clipped
    to [0, 1], an invalid submission has 0. Empty if a normalised score is unknown."""


class Comparison(Model):
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
    interval: Interval | None
    """Student's t interval of 95 % over competitions."""
    sign_p: float
    permutation_p: float
    detectable: float | None
    """The smallest true difference that a study of this size finds with a power of 80 %."""


class Part(Model):
    """A part of the competitions, such as one category."""

    label: str
    competitions: tuple[str, ...]
    agents: tuple[AgentSummary, ...]


class Trend(Model):
    """How an agent's medals correlate with the year of a competition."""

    agent: str
    competitions: int
    correlation: float | None
    """Spearman's rank correlation over competitions; None if years or medals do not vary."""
    interval: Interval | None
    """Of 95 %."""


class Breakdown(Model):
    """The results by a property of competitions."""

    by: Literal["complexity", "category", "year"]
    parts: tuple[Part, ...]
    trends: tuple[Trend, ...] = ()
    """Only by year."""


class Headline(Model):
    """The results without the competitions whose leaderboard is void or saturated."""

    left_out: tuple[str, ...]
    agents: tuple[AgentSummary, ...]
    """Over the other competitions, and the seeds that are complete in these."""


class Difference(Model):
    """A mean difference over competitions."""

    mean: float
    """In percentage points."""
    interval: Interval | None
    """Student's t interval of 95 %, with the competitions as a sample; None for fewer than two."""


class VersionEffect(Model):
    """What changes for an agent from v1 to v2 of the competitions that it has in both."""

    agent: str
    rate: Rate
    competitions: tuple[str, ...]
    """Their ids."""
    regraded: int
    """Competitions whose runs of v1 were also graded by the rules of v2."""
    v1: float
    v2: float
    """Percentages, over all runs of `competitions`."""
    total: Difference
    """v2 minus v1."""
    grading: Difference | None
    """The rules of v2 on the data of v1, minus v1, over the regraded competitions; None if there are none."""
    data: Difference | None
    """v2 minus the rules of v2 on the data of v1."""


class WithoutProblem(Model):
    """An agent's result without the competitions that have a kind of known problem."""

    agent: str
    problem: str
    """The kind, such as `leak`."""
    competitions: tuple[str, ...]
    """The agent's competitions that have the problem."""
    medals: int
    """Runs with a medal that enter the means."""
    medals_touched: int
    """Those of `medals` that are in competitions with the problem."""
    above_median: RateEstimate
    """Over the other competitions and the same seeds."""
    any_medal: RateEstimate
    """Over the other competitions and the same seeds."""


class Over(StrEnum):
    """What a run spends: the horizontal axis of a curve."""

    HOURS = "hours"
    TOKENS = "tokens"
    """Input and output tokens."""
    DOLLARS = "dollars"


class Quantity(StrEnum):
    """What a run has achieved: the vertical axis of a curve."""

    ANY_MEDAL = "any_medal"
    """Percent of competitions."""
    NORMALIZED_SCORE = "normalized_score"
    """0 at the sample submission, 1 at the gold threshold, clipped to [0, 1]; 0 without a valid submission."""

    @property
    def maximum(self) -> float:
        """The largest possible value."""
        return 100.0 if self is Quantity.ANY_MEDAL else 1.0


class Curve(Model):
    """The average result of an agent's runs once each has spent a given amount; over the runs of the main table.

    At any point, a run has what its latest submission was worth: nothing before the first one, and its final result
    from its end on. So the last point is the number in the main table, and a curve falls when agents replace good
    submissions by worse ones.
    """

    agent: str
    quantity: Quantity
    over: Over
    at: tuple[float, ...]
    """Amounts spent, from 0 in equal steps."""
    mean: tuple[float, ...]
    """Over competitions and seeds."""
    low: tuple[float, ...] = ()
    """Low end of Student's t interval of 95 % over seeds; empty for fewer than two seeds."""
    high: tuple[float, ...] = ()
