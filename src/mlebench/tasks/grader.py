"""The grader of a task: it scores a submission against the answers."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.loading import import_function
from mlebench.ground.wording import plain
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
    """A named grade function.

    Examples
    --------
    >>> import pandas as pd
    >>> from mlebench import InvalidSubmissionError
    >>> def accuracy(submission, answers):
    ...     if "y" not in submission:
    ...         raise InvalidSubmissionError("Submission is missing the following column 'y'.")
    ...     return (submission["y"] == answers["y"]).mean()
    >>> grader = Grader("accuracy", accuracy)
    >>> answers = pd.DataFrame({"y": [0, 1, 1]})
    >>> grader(pd.DataFrame({"y": [0, 1, 0]}), answers)
    0.66667
    >>> grader(pd.DataFrame({"x": [0, 1, 0]}), answers) is None
    True
    """

    name: str
    grade_fn: GradeFunction
    metric: Metric | None = None
    """The metric, which has a direction; without it, the leaderboard tells the direction."""
    exact: bool = False
    """Whether scores keep all digits and are finite; those of version v1 are rounded to 5 decimals, and may be NaN."""

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Grader:
        """Build a grader from its `name` and its `grade_fn`: a function, or text such as `package.module:function`."""
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
        """Build the grader that a task declares: align the submission, check it, and score its target columns.

        Parameters
        ----------
        metric
            Scores the target columns, unless there is a function.
        shape
            Aligns a submission with the answers.
        function
            The task's grade function; it gets the aligned submission and the answers, and makes its own checks.
        exact
            Whether scores keep all digits, and a submission whose score is not a finite number is refused.
        as_read
            Whether the function gets the submission as it was read. Only its columns and its number of rows are checked
            then.
        tabulate
            Converts answers that are not tables to a data frame.
        check
            The task's check of an aligned submission, for graders without a function.
        """

        def grade(submission: pd.DataFrame, answers: Any) -> float:
            if tabulate is not None:
                answers = tabulate(answers)
            if function is not None and as_read:
                shape.check_outline(submission, answers)
                return function(submission, answers)
            aligned = shape.align(submission, answers)
            answers = shape.answers_for(aligned, shape.fill_blanks(answers))
            if check is not None and function is None:
                check(aligned)
            order = shape.sorting(answers) if metric.sums_fractions else None
            if order is not None:
                aligned, answers = (table.iloc[order].reset_index(drop=True) for table in (aligned, answers))
            if function is not None:
                return function(aligned, answers)
            targets = shape.target_names(answers)
            columns: Any = targets if len(targets) > 1 else targets[0]
            scale = {"labels": shape.labels} if metric.has_scale and shape.labels else {}
            return metric(answers[columns].to_numpy(), aligned[columns].to_numpy(), **scale)

        def grade_finitely(submission: pd.DataFrame, answers: Any) -> float:
            score = float(grade(submission, answers))
            if math.isnan(score):
                column = plain(shape.target_names(submission)[0])
                raise InvalidSubmissionError(metric.undefined.format(column=column))
            if math.isinf(score):
                raise InvalidSubmissionError("The score of these predictions is infinite.")
            return score

        return cls(metric.name, grade_finitely if exact else grade, metric, exact)

    def score(self, submission: pd.DataFrame, answers: Any) -> float:
        """Return the unrounded score; exceptions of the grade function are raised."""
        return float(self.grade_fn(submission, answers))

    def __call__(self, submission: pd.DataFrame, answers: Any) -> float | None:
        """Return the score; if the grade function raises, log the reason and return None."""
        try:
            score = self.score(submission, answers)
        except InvalidSubmissionError as error:
            logger.warning("Invalid submission: %s", error)
            return None
        except Exception as error:  # noqa: BLE001  third-party grade functions may raise anything
            logger.error("Unexpected error during grading: %s", error)
            return None
        return score if self.exact else round(score, 5)

    def is_lower_better(self, leaderboard: pd.DataFrame) -> bool:
        """Return whether lower scores are better, by the metric or else by a leaderboard's first and last score."""
        if self.metric is not None:
            return self.metric.lower_is_better
        scores = leaderboard["score"]
        return bool(scores.iloc[0] < scores.iloc[-1])

    def rank_score(self, score: float | None, leaderboard: pd.DataFrame) -> dict[str, bool | float]:
        """Return the medals that a score earns, and the thresholds.

        Parameters
        ----------
        score
            The score; None earns nothing.
        leaderboard
            A data frame with a column `score`, best first.

        Returns
        -------
        dict
            `gold_medal`, `silver_medal`, `bronze_medal` and `above_median` (bool), and `gold_threshold`,
            `silver_threshold`, `bronze_threshold` and `median_threshold` (float).
        """
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
