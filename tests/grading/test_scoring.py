from __future__ import annotations

import dataclasses
import hashlib

from mlebench import grade
from mlebench.grading.reports import Outcome
from mlebench.grading.scoring import Scoring, score_submission
from mlebench.tasks.grader import Grader


def test_grade_function_that_raises_fails_without_ending_the_batch(ship, is_one_sentence, caplog):
    def broken(submission, answers):
        raise RuntimeError("a {brace}\nand a second line")

    competition = dataclasses.replace(ship, grader=Grader("mine", broken))
    verdict = grade.judge(ship.sample_submission, competition)
    assert verdict.outcome == "failed"
    assert "RuntimeError in test_scoring.py" in verdict.reason
    assert not set("{}\n") & set(verdict.reason)
    assert not grade.grade_csv(ship.sample_submission, competition).valid_submission
    assert caplog.messages[-1].startswith("Unexpected error during grading: ")
    valid, message = grade.validate_submission(ship.sample_submission, competition)
    assert not valid
    assert "a (brace) and" in message


def test_a_graded_file_has_the_digest_of_its_bytes(ship):
    scoring = score_submission(ship.sample_submission, ship)
    digest = hashlib.sha256(ship.sample_submission.read_bytes()).hexdigest()
    assert scoring == Scoring(Outcome.GRADED, 0.5, None, digest)


def test_a_refused_file_has_a_digest_and_a_missing_one_has_none(ship, tmp_path):
    missing = score_submission(tmp_path / "submission.csv", ship)
    assert (missing.outcome, missing.score, missing.sha256) == (Outcome.MISSING, None, None)
    (tmp_path / "submission.csv").write_bytes(b"nothing\n1\n")
    refused = score_submission(tmp_path / "submission.csv", ship)
    digest = hashlib.sha256(b"nothing\n1\n").hexdigest()
    assert (refused.outcome, refused.score, refused.sha256) == (Outcome.INVALID, None, digest)


def test_answers_that_cannot_be_read_are_a_failure_of_grading(ship, tmp_path):
    (tmp_path / "answers.txt").touch()
    scoring = score_submission(ship.sample_submission, dataclasses.replace(ship, answers=tmp_path / "answers.txt"))
    assert scoring.outcome is Outcome.FAILED
    assert scoring.reason.startswith("Grading failed with DeclarationError in answers.py")
