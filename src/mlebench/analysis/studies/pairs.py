"""What a study of alignment keeps: each solution's result on the split here and on Kaggle's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from mlebench.analysis import statistics
from mlebench.analysis.estimates import interval_or_none, nan_to_none
from mlebench.tasks.medals import Medal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.tasks.medals import Leaderboard

LEVELS = (None, Medal.BRONZE, Medal.SILVER, Medal.GOLD)
"""Medals in ascending order."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants")


class Side(_Model):
    """A result on one split, measured against the private leaderboard; None is a submission that got no score."""

    score: float | None = None
    medal: Medal | None = None
    percentile: float | None = None
    """Percentage of teams that the score is better than or equal to."""
    problem: str | None = None
    """Why there is no score."""

    @classmethod
    def of(cls, score: float | None, standings: Leaderboard, problem: str | None = None) -> Side:
        if score is None:
            return cls(problem=problem)
        return cls(score=score, medal=standings.medal(score), percentile=standings.percentile(score))


class Pair(_Model):
    """One solution in one competition with one seed."""

    run_id: str
    """Of both runs, each in its group."""
    competition: str
    solution: str
    seed: int
    here: Side | None = None
    kaggle_ref: int | None = None
    """Kaggle's number of the late submission; None until it is sent."""
    kaggle: Side | None = None
    """By the private score, the one that medals are given for; None until Kaggle has graded it."""


class Agreement(_Model):
    """What pairs with a score on both sides say together; None where there are too few."""

    pairs: int
    difference: float | None
    """Mean percentile here minus there, in percentage points: above 0, it is easier here."""
    interval: tuple[float, float] | None
    """Student's t interval of 95 % of that, over competitions, which are taken for independent."""
    permutation_p: float | None
    """Of no difference, by changing signs of competitions at random."""
    correlation: float | None
    """Spearman's, of percentiles."""
    correlation_interval: tuple[float, float] | None
    medals_here: int
    medals_kaggle: int
    same_medal: float | None
    """Percentage of pairs with the same medal, or none on both sides."""
    kappa: float | None
    """Cohen's kappa of medals, weighted by squared distance; None where one side is all the same."""


class AlignmentRecord(_Model):
    """The content of `alignment.json`."""

    format_version: Literal[1] = 1
    mlebench_version: str
    pairs: tuple[Pair, ...]
    agreement: Agreement | None = None
    """Over the pairs that are complete; None as long as none is."""

    def as_file(self) -> str:
        return self.model_dump_json(indent=2) + "\n"


def agree(pairs: Sequence[Pair]) -> Agreement | None:
    """Return what complete pairs say together; those without a score on one side are left out."""
    sides = [(pair, pair.here, pair.kaggle) for pair in pairs if pair.here and pair.kaggle]
    both = [(pair, here, there) for pair, here, there in sides if _placed(here) and _placed(there)]
    if not both:
        return None
    here = np.array([side.percentile for _, side, _ in both], dtype=np.float64)
    there = np.array([side.percentile for _, _, side in both], dtype=np.float64)
    names = np.array([pair.competition for pair, _, _ in both])
    differences = [float((here - there)[names == name].mean()) for name in np.unique(names)]
    compared = statistics.compare_paired(differences, np.zeros(len(differences)))
    correlation, interval = statistics.rank_correlation(here, there)
    levels = np.array([[LEVELS.index(side.medal) for side in (one, other)] for _, one, other in both])
    return Agreement(
        pairs=len(both),
        difference=nan_to_none(compared.difference),
        interval=interval_or_none(compared.interval),
        permutation_p=compared.permutation_p if len(differences) > 1 else None,
        correlation=nan_to_none(correlation),
        correlation_interval=interval_or_none(interval),
        medals_here=int((levels[:, 0] > 0).sum()),
        medals_kaggle=int((levels[:, 1] > 0).sum()),
        same_medal=100 * float((levels[:, 0] == levels[:, 1]).mean()),
        kappa=nan_to_none(weighted_kappa(levels[:, 0], levels[:, 1])),
    )


def _placed(side: Side) -> bool:
    return side.percentile is not None


def weighted_kappa(first: np.ndarray, second: np.ndarray) -> float:
    """Return Cohen's kappa of two ratings by the squared distance; NaN if chance alone agrees always."""
    seen = ((first - second) ** 2).mean()
    by_chance = ((first[:, np.newaxis] - second) ** 2).mean()
    return float(1 - seen / by_chance) if by_chance else float("nan")
