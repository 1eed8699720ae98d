from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from mlebench import grade


@pytest.mark.parametrize("function", [grade.grade_csv, grade.validate_submission])
def test_data_that_are_not_prepared_raise_value_error(function, registry, ship):
    competition = registry.get_competition("spaceship-titanic")
    with pytest.raises(ValueError, match=r"not prepared.*mlebench prepare -c spaceship-titanic"):
        function(ship.sample_submission, competition)


@pytest.mark.parametrize("path", [Path("no/such/file.csv"), Path("None"), "None"])
def test_missing_submission_is_a_report_with_thresholds(path, ship, caplog):
    report = grade.grade_csv(path, ship)
    assert (report.submission_exists, report.valid_submission, report.score) == (False, False, None)
    assert (report.gold_threshold, report.bronze_threshold) == (0.82066, 0.80967)
    assert report.is_lower_better is False
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_refused_submission_is_a_report_and_its_reason_is_logged_on_one_line(ship, tmp_path, caplog):
    path = tmp_path / "submission.csv"
    path.write_text("PassengerId\n1\n")
    report = grade.grade_csv(path, ship)
    assert (report.submission_exists, report.valid_submission, report.score) == (True, False, None)
    assert not (report.any_medal or report.above_median)
    assert re.fullmatch(
        r"Invalid submission: Submission is missing the following column 'Transported'.*", caplog.messages[-1]
    )


def test_validation_texts_are_those_that_clients_compare(ship, tmp_path):
    assert grade.validate_submission(ship.sample_submission, ship) == (True, "Submission is valid.")
    path = tmp_path / "none.csv"
    assert grade.validate_submission(path, ship) == (
        False,
        f"Submission invalid! Submission file {path} does not exist.",
    )
    path = tmp_path / "submission.txt"
    path.touch()
    assert grade.validate_submission(path, ship) == (
        False,
        "Submission invalid! Submission file must be a CSV file.",
    )
    path = tmp_path / "submission.csv"
    path.touch()
    valid, message = grade.validate_submission(path, ship)
    head = "Submission invalid! The attempt to grade the submission has resulted in the following error message:\n"
    assert not valid
    assert message.startswith(head + "Submission is missing the following column")


def test_logging_is_left_alone_by_grading(ship):
    before = list(logging.getLogger().handlers)
    grade.grade_csv(ship.sample_submission, ship)
    assert logging.getLogger().handlers == before
