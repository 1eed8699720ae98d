"""Tags are text in v2, whatever they look like."""

from __future__ import annotations

import pytest

from mlebench.battery.prepared import PreparedTask
from mlebench.grading.reports import Outcome
from mlebench.ground.tables import read_csv

ID = "facebook-recruiting-iii-keyword-extraction"
each_version = pytest.mark.parametrize(("label", "is_text"), [(ID, False), (f"{ID}@v2", True)])


@each_version
def test_numbers_are_tags(label, is_text, prepared, tmp_path):
    task = PreparedTask(prepared(label), tmp_path / "submission.csv")
    verdict, _ = task.submit(task.sample[["Id"]].assign(Tags="2012"))
    assert verdict.outcome is (Outcome.GRADED if is_text else Outcome.INVALID)


@each_version
def test_null_is_a_tag(label, is_text, prepared):
    train = read_csv(prepared(label).public_dir / "train.csv", text=["Tags"])
    assert ("null" in set(train["Tags"])) == is_text
    assert ("" in set(train["Tags"])) != is_text
