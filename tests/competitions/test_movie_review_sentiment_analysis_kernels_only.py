"""Phrases that look missing are phrases in v2, and classes are 0 to 4."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.grading.reports import Outcome
from mlebench.ground.tables import read_csv
from mlebench.preparation import read_member

ID = "movie-review-sentiment-analysis-kernels-only"


@pytest.mark.parametrize(("version", "is_kept"), [("v1", False), ("v2", True)])
def test_none_is_a_phrase_in_v2(version, is_kept, prepared):
    public = prepared(f"{ID}@{version}").public_dir
    tables = [
        read_csv(read_member(public / f"{name}.zip", name), text=["Phrase"], sep="\t")
        for name in ("train.tsv", "test.tsv")
    ]
    assert any("None" in set(table["Phrase"]) for table in tables) == is_kept
    assert any("" in set(table["Phrase"]) for table in tables) != is_kept


@pytest.mark.parametrize(("version", "outcome"), [("v1", Outcome.GRADED), ("v2", Outcome.INVALID)])
def test_v2_refuses_other_classes(version, outcome, prepared, tmp_path):
    task = PreparedTask(prepared(f"{ID}@{version}"), tmp_path / "submission.csv")
    verdict, _ = task.submit(task.sample.assign(Sentiment=5))
    assert verdict.outcome is outcome
