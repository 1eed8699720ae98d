"""The content of `alignment.json`: each solution's result on the split here and on Kaggle's own."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from mlebench.tasks.medals import Medal
from mlebench.tasks.ref import TaskRef

if TYPE_CHECKING:
    from mlebench.tasks.medals import Leaderboard


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants")


class Side(_Model):
    """A result on one split, measured against the private leaderboard."""

    score: float | None = None
    """None for a submission without a score."""
    medal: Medal | None = None
    percentile: float | None = None
    """Percentage of teams that the score is better than or equal to."""
    problem: str | None = None
    """Why there is no score."""

    @classmethod
    def of(cls, score: float | None, leaderboard: Leaderboard, problem: str | None = None) -> Side:
        """Return the result of a score; `problem` is the reason if there is none."""
        if score is None:
            return cls(problem=problem)
        return cls(score=score, medal=leaderboard.medal(score), percentile=leaderboard.percentile(score))


class Pair(_Model):
    """One solution in one competition with one seed."""

    run_id: str
    """Of both runs, each in its group."""
    competition: str
    """Label of the task: the competition's id, with `@v2` for that version."""
    solution: str
    seed: int
    here: Side | None = None
    sending_since: datetime | None = None
    """When the submission was about to be sent; without `kaggle_ref`, it may or may not have arrived."""
    kaggle_ref: int | None = None
    """Kaggle's reference of the late submission; None until Kaggle has confirmed it."""
    kaggle: Side | None = None
    """By the private score, which decides about medals; None until Kaggle has graded the submission."""

    @property
    def competition_id(self) -> str:
        """The competition's id at Kaggle."""
        return TaskRef.parse(self.competition).competition_id


class Agreement(_Model):
    """Statistics over the pairs with a score on both sides; None if there are too few."""

    pairs: int
    difference: float | None
    """Mean percentile here minus Kaggle's, in percentage points: above 0, the split here is easier."""
    interval: tuple[float, float] | None
    """Student's t interval of 95 % of the difference, over competitions."""
    permutation_p: float | None
    """Two-sided permutation test of no difference, over competitions."""
    correlation: float | None
    """Spearman's rank correlation of percentiles."""
    correlation_interval: tuple[float, float] | None
    medals_here: int
    medals_kaggle: int
    same_medal: float | None
    """Percentage of pairs with the same medal, or with none, on both sides."""
    kappa: float | None
    """Cohen's kappa of medals with quadratic weights; None if medals do not vary."""


class AlignmentRecord(_Model):
    """The content of `alignment.json`."""

    format_version: Literal[1] = 1
    mlebench_version: str
    pairs: tuple[Pair, ...]
    agreement: Agreement | None = None
    """Over the complete pairs; None if there are none."""

    def as_file(self) -> str:
        """Return the content of the file."""
        return self.model_dump_json(indent=2) + "\n"
