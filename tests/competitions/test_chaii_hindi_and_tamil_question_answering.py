"""The answers of v2 are text, whatever they look like, and its test set is larger."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.grading.reports import Outcome
from mlebench.ground.tables import read_csv

ID = "chaii-hindi-and-tamil-question-answering"


@pytest.mark.parametrize(("label", "outcome"), [(ID, Outcome.INVALID), (f"{ID}@v2", Outcome.GRADED)])
def test_answers_may_all_be_numbers(label, outcome, prepared, tmp_path):
    task = PreparedTask(prepared(label), tmp_path / "submission.csv")
    verdict, _ = task.submit(task.sample.assign(PredictionString="1947"))
    assert verdict.outcome is outcome


@pytest.mark.parametrize(("label", "share"), [(ID, 0.1), (f"{ID}@v2", 0.25)])
def test_v2_tests_a_quarter_of_the_questions(label, share, prepared):
    train, test = (read_csv(prepared(label).public_dir / f"{part}.csv") for part in ("train", "test"))
    assert len(test) / (len(train) + len(test)) == pytest.approx(share, abs=0.02)
