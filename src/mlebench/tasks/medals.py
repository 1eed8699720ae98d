"""Leaderboards and medals, by Kaggle's rules for the private leaderboard."""

from __future__ import annotations

import csv
import dataclasses
import functools
import math
import statistics
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from pathlib import Path


class Medal(StrEnum):
    """A medal, the best first."""

    GOLD = "gold"
    SILVER = "silver"
    BRONZE = "bronze"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The worst scores that still earn each medal, and the median score of all teams."""

    gold: float
    silver: float
    bronze: float
    median: float


def medal_positions(teams: int) -> tuple[int, int, int]:
    """Return the last places that earn gold, silver and bronze among so many teams.

    References
    ----------
    .. [1] Kaggle's progression system, https://www.kaggle.com/progression

    Examples
    --------
    >>> medal_positions(50), medal_positions(2000)
    ((5, 10, 20), (14, 100, 200))
    """
    if teams < 100:
        gold, silver, bronze = 0.1 * teams, 0.2 * teams, 0.4 * teams
    elif teams < 250:
        gold, silver, bronze = 10, 0.2 * teams, 0.4 * teams
    elif teams < 1000:
        gold, silver, bronze = 10 + 0.002 * teams, 50, 100
    else:
        gold, silver, bronze = 10 + 0.002 * teams, 0.05 * teams, 0.1 * teams
    return max(1, int(gold)), max(1, int(silver)), max(1, int(bronze))


@dataclass(frozen=True)
class Leaderboard:
    """The scores of all teams on the private leaderboard.

    Examples
    --------
    >>> board = Leaderboard((0.9, 0.8, 0.7, 0.6, 0.5), lower_is_better=False)
    >>> board.thresholds
    Thresholds(gold=0.9, silver=0.9, bronze=0.8, median=0.7)
    >>> board.medal(0.85), board.rank(0.85), board.percentile(0.85)
    (<Medal.BRONZE: 'bronze'>, 2, 80.0)
    """

    scores: tuple[float, ...]
    """Scores, best first."""
    lower_is_better: bool
    decimals: int | None = None
    """To how many decimals a score is rounded before it is compared; None if it is not rounded."""

    @classmethod
    def read(cls, path: Path, *, lower_is_better: bool) -> Leaderboard:
        """Read the column `score` of a CSV file, best first; DeclarationError if it is missing or empty."""
        try:
            with path.open(newline="", encoding="utf-8") as file:
                scores = tuple(float(row["score"]) for row in csv.DictReader(file))
        except (KeyError, ValueError) as error:
            raise DeclarationError(f"The leaderboard {path} has no usable column 'score': {error}.") from error
        if not scores:
            raise DeclarationError(f"The leaderboard {path} is empty.")
        return cls(scores, lower_is_better)

    def at_its_precision(self) -> Leaderboard:
        """Return the same leaderboard, which compares scores with as many decimals as its own have."""
        decimals = max(-Decimal(repr(score)).normalize().as_tuple().exponent for score in self.scores)  # type: ignore[operator]
        return dataclasses.replace(self, decimals=max(0, decimals))

    @functools.cached_property
    def thresholds(self) -> Thresholds:
        """The scores that medals and the median take."""
        gold, silver, bronze = (self.scores[position - 1] for position in medal_positions(len(self.scores)))
        return Thresholds(gold, silver, bronze, statistics.median(self.scores))

    def is_better(self, score: float, other: float) -> bool:
        """Whether `score` is better than `other`, a score on the board; False if one of them is NaN."""
        score = self._rounded(score)
        return score < other if self.lower_is_better else score > other

    def medal(self, score: float) -> Medal | None:
        """Return the medal that a score earns; a score equal to a threshold earns the medal, NaN earns none."""
        score = self._rounded(score)
        for medal in Medal:
            threshold: float = getattr(self.thresholds, medal)
            if score == threshold or self.is_better(score, threshold):
                return medal
        return None

    def above_median(self, score: float) -> bool:
        """Whether a score is strictly better than the median."""
        return self.is_better(score, self.thresholds.median)

    def rank(self, score: float) -> int | None:
        """Return the place that a score takes among the teams, 1 being the best; None for NaN."""
        if math.isnan(score):
            return None
        score = self._rounded(score)
        return 1 + sum(self.is_better(other, score) for other in self.scores)

    def percentile(self, score: float) -> float | None:
        """Return the percentage of teams whose score is not better, 100 being the best; None for NaN."""
        rank = self.rank(score)
        if rank is None:
            return None
        return 100 * (len(self.scores) - rank + 1) / len(self.scores)

    def _rounded(self, score: float) -> float:
        return score if self.decimals is None else round(score, self.decimals)
