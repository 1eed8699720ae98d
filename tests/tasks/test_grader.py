"""The grader that a task declares."""

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
