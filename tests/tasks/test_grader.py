"""The grader that a task declares."""

import numpy as np
import pandas as pd
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics import get_metric
from mlebench.tasks.grader import Grader
from mlebench.tasks.shape import Match, Shape
from mlebench.tasks.values import Values

ANSWERS = pd.DataFrame({"id": [2, 1], "y": [0.5, 3.0]})
SHAPE = Shape(id="id", targets=("y",), values=Values.NUMBERS)


def check(submission: pd.DataFrame) -> None:
    assert submission["id"].tolist() == [2, 1]
    if (submission["y"] > 9).any():
        raise InvalidSubmissionError("A value is greater than 9.")


def test_a_tasks_check_gets_the_aligned_submission_before_the_metric():
    grader = Grader.declared(get_metric("mean_absolute_error"), SHAPE, None, exact=False, check=check)
    submission = pd.DataFrame({"id": [1, 2], "y": [3.0, 1.5]})
    assert grader.score(submission, ANSWERS) == 0.5
    with pytest.raises(InvalidSubmissionError, match="greater than 9"):
        grader.score(submission * [1, 10], ANSWERS)


@pytest.mark.parametrize(
    ("match", "metric", "order"),
    [
        (Match.IDS, "mean_absolute_error", [0.2, 0.3, 0.1]),
        (Match.RANK, "mean_absolute_error", [0.2, 0.3, 0.1]),
        (Match.POSITION, "mean_absolute_error", [0.1, 0.2, 0.3]),
        (Match.IDS, "accuracy_score", [0.1, 0.2, 0.3]),  # a proportion does not depend on the order
    ],
)
def test_fractions_are_added_in_the_order_of_the_ids(match, metric, order):
    answers = pd.DataFrame({"id": [3, 1, 2], "y": [0.1, 0.2, 0.3]})
    shape = SHAPE.model_copy(update={"match": match})
    seen = []
    grader = Grader.declared(get_metric(metric), shape, lambda *tables: seen.extend(tables) or 0, exact=False)
    grader.score(answers, answers)
    assert [table["y"].tolist() for table in seen] == [order, order]


@pytest.mark.parametrize(
    ("metric", "values", "reason"),
    [
        ("pearson_correlation_score", [7.0, 7.0], "column 'y' holds one value only, so it has no correlation"),
        ("root_mean_squared_log_error", [0.0, -2.0], "The score of these predictions is not defined"),
        ("mean_absolute_error", [1.7e308, -1.7e308], "infinite"),
    ],
)
def test_later_versions_refuse_a_submission_without_a_finite_score(metric, values, reason):
    submission = pd.DataFrame({"id": [1, 2], "y": values})
    first, later = (Grader.declared(get_metric(metric), SHAPE, None, exact=exact) for exact in (False, True))
    with np.errstate(over="ignore"):
        assert not np.isfinite(first.score(submission, ANSWERS))
        with pytest.raises(InvalidSubmissionError, match=reason):
            later.score(submission, ANSWERS)


def test_later_versions_refuse_what_a_grade_function_cannot_score():
    later = Grader.declared(get_metric("dice_score"), SHAPE, lambda *_: float("nan"), exact=True)
    with pytest.raises(InvalidSubmissionError, match="not defined"):
        later.score(ANSWERS, ANSWERS)
