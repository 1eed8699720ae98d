from __future__ import annotations

import dataclasses
import math

import pytest

from mlebench import grade
from mlebench.grading.judge import judge, normalized_score
from mlebench.grading.reports import Outcome
from mlebench.tasks.grader import Grader


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_score_that_is_no_finite_number_is_valid(score, ship, tmp_path):
    leaderboard = tmp_path / "leaderboard.csv"
    leaderboard.write_text("score\n0.1\n0.2\n0.3\n")
    grader = Grader("mine", lambda submission, answers: score)
    competition = dataclasses.replace(ship, grader=grader, declaration=None, leaderboard=leaderboard)
    report = grade.grade_csv(ship.sample_submission, competition)
    assert report.valid_submission
    assert report.is_lower_better is True  # the leaderboard's direction, where there is no metric
    assert report.gold_medal is report.above_median is (score == -math.inf)
    assert math.isnan(report.score) if math.isnan(score) else report.score == score


@pytest.mark.parametrize(
    ("score", "sample_score", "normalized"),
    [(0.82066, 0.5, 1.0), (0.5, 0.5, 0.0), (None, 0.5, None), (0.6, None, None), (0.6, 0.82066, None)],
)
def test_a_score_is_placed_between_the_sample_and_gold(score, sample_score, normalized, ship):
    declaration = ship.declaration.model_copy(update={"sample_score": sample_score})
    assert normalized_score(score, dataclasses.replace(ship, declaration=declaration)) == normalized


def test_a_normalized_score_is_never_minus_zero(prepared):
    leaf = prepared("leaf-classification")  # lower is better, so gold lies below the sample
    found = normalized_score(leaf.declaration.sample_score, leaf)
    assert (found, math.copysign(1, found)) == (0, 1)


def test_a_file_without_a_score_has_no_place(ship, tmp_path):
    verdict = judge(tmp_path / "none.csv", ship)
    assert verdict.outcome is Outcome.MISSING
    assert {verdict.score, verdict.medal, verdict.rank, verdict.percentile, verdict.normalized_score} == {None}
    assert not verdict.above_median
    assert verdict.teams == len(ship.standings.scores)


def test_scores_of_v1_are_rounded_as_the_reference_rounds_them(ship):
    exact = dataclasses.replace(ship, grader=Grader("mine", lambda submission, answers: 1 / 3, exact=True))
    rounded = dataclasses.replace(ship, grader=Grader("mine", lambda submission, answers: 1 / 3))
    assert judge(ship.sample_submission, exact).score == 1 / 3
    verdict = judge(ship.sample_submission, rounded)
    assert (verdict.score, verdict.unrounded_score) == (0.33333, 1 / 3)
