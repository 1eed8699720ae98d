"""A grader: a named function that scores a submission against the answers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.loading import import_function
from mlebench.tasks.medals import Leaderboard, Medal

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.metrics import Metric
    from mlebench.tasks.shape import Shape

logger = logging.getLogger(__name__)

GradeFunction = Callable[["pd.DataFrame", Any], float]
"""Called with a submission and the answers; returns the score, or raises InvalidSubmissionError."""


@dataclass(frozen=True)
class Grader:
    """Scores submissions; `exact` scores are not rounded to 5 decimals as version v1's are."""

    name: str
    grade_fn: GradeFunction
    metric: Metric | None = None
    exact: bool = False

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Grader:
        """Build a grader from its `name` and its `grade_fn`, a function or `package.module:function`."""
        function = data["grade_fn"]
        return cls(str(data["name"]), import_function(function) if isinstance(function, str) else function)

    @classmethod
    def declared(
        cls,
        metric: Metric,
        shape: Shape,
        function: GradeFunction | None,
        *,
        exact: bool,
        as_read: bool = False,
        tabulate: Callable[[Any], pd.DataFrame] | None = None,
        check: Callable[..., None] | None = None,
    ) -> Grader:
        """Build the grader that a task declares: align to the answers, run the task's check, score the target columns.

        With a function of the task's own, that function gets the aligned submission and the answers, and checks what
        it must; with `as_read`, it gets the submission as it was read, of which only columns and number of rows are
        checked. `tabulate` makes a frame of answers that are none.
        """

        def grade(submission: pd.DataFrame, answers: Any) -> float:
            if tabulate is not None:
                answers = tabulate(answers)
            if function is not None and as_read:
                shape.check_outline(submission, answers)
                return function(submission, answers)
            aligned = shape.align(submission, answers)
            answers = shape.answers_for(aligned, shape.fill_blanks(answers))
            if function is not None:
                return function(aligned, answers)
            if check is not None:
                check(aligned)
            targets = shape.target_names(answers)
            columns: Any = targets if len(targets) > 1 else targets[0]
            return metric(answers[columns].to_numpy(), aligned[columns].to_numpy())

        return cls(metric.name, grade, metric, exact)

    def score(self, submission: pd.DataFrame, answers: Any) -> float:
        """Return the score; whatever the grade function raises goes through."""
        return float(self.grade_fn(submission, answers))

    def __call__(self, submission: pd.DataFrame, answers: Any) -> float | None:
        """Return the rounded score, or None with a line in the log when there is none; never raises."""
        try:
            score = self.score(submission, answers)
        except InvalidSubmissionError as error:
            logger.warning("Invalid submission: %s", error)
            return None
        except Exception as error:  # noqa: BLE001  a grade function of anybody's may raise anything
            logger.error("Unexpected error during grading: %s", error)
            return None
        return score if self.exact else round(score, 5)

    def is_lower_better(self, leaderboard: pd.DataFrame) -> bool:
        """Return the metric's declared direction, or, for a grader without a metric, the leaderboard's."""
        if self.metric is not None:
            return self.metric.lower_is_better
        scores = leaderboard["score"]
        return bool(scores.iloc[0] < scores.iloc[-1])

    def rank_score(self, score: float | None, leaderboard: pd.DataFrame) -> dict[str, bool | float]:
        """Return the medals and thresholds for a score (None earns nothing) on a leaderboard, best first."""
        scores = tuple(float(value) for value in leaderboard["score"])
        standings = Leaderboard(scores, self.is_lower_better(leaderboard))
        medal = None if score is None else standings.medal(score)
        thresholds = standings.thresholds
        return {
            "gold_medal": medal is Medal.GOLD,
            "silver_medal": medal is Medal.SILVER,
            "bronze_medal": medal is Medal.BRONZE,
            "above_median": score is not None and standings.above_median(score),
            "gold_threshold": thresholds.gold,
            "silver_threshold": thresholds.silver,
            "bronze_threshold": thresholds.bronze,
            "median_threshold": thresholds.median,
        }
