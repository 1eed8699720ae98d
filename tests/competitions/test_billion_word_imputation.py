"""A sentence of a submission may be any text in v2."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.grading.reports import Outcome

ID = "billion-word-imputation"


@pytest.mark.parametrize(("label", "outcome"), [(ID, Outcome.INVALID), (f"{ID}@v2", Outcome.GRADED)])
@pytest.mark.parametrize("text", ["", "null"])
def test_a_sentence_that_looks_missing_is_text(label, outcome, text, prepared, tmp_path):
    task = PreparedTask(prepared(label), tmp_path / "submission.csv")
    verdict, _ = task.submit(task.sample.assign(sentence=[text, *task.sample["sentence"].iloc[1:]]))
    assert verdict.outcome is outcome
