"""What one agent achieved: a row of the main table."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from mlebench.analysis.estimates import Rate, RateEstimate


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


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
