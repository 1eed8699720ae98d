from __future__ import annotations

import dataclasses

import pytest

import mlebench
from mlebench.errors import NotPreparedError
from mlebench.grading.check import VALID, SubmissionCheck


@pytest.fixture
def data_dir(ship):
    return ship.public_dir.parents[2]


def test_a_competition_may_be_named_by_its_id(ship, data_dir, tmp_path):
    path = tmp_path / "submission.csv"
    path.write_text("PassengerId\n1\n")
    assert mlebench.validate(ship.sample_submission, "spaceship-titanic", data_dir=data_dir) == SubmissionCheck(
        True, VALID
    )
    refused = mlebench.validate(path, ship)
    assert not refused.is_valid
    assert refused.message.startswith("Submission invalid! Submission is missing the following column 'Transported'")
    report = mlebench.grade_csv(ship.sample_submission, "spaceship-titanic", data_dir=data_dir)
    assert report.score == mlebench.judge(str(ship.sample_submission), ship).score == 0.5
    assert mlebench.validate_submission(ship.sample_submission, ship.ref, data_dir=data_dir) == (True, VALID)


def test_the_answers_are_not_read(ship, tmp_path):
    blind = dataclasses.replace(ship, answers=tmp_path / "none.csv")
    with pytest.raises(NotPreparedError):
        mlebench.validate(ship.sample_submission, blind)
    (tmp_path / "none.csv").write_text("not answers")
    assert mlebench.validate(ship.sample_submission, blind).is_valid
