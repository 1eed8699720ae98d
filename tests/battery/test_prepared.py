"""A prepared task gives the submissions that its sample and its answers make."""

from __future__ import annotations

import pandas as pd
import pytest

from mlebench.battery.prepared import PreparedTask, row_keys
from mlebench.grading.reports import Outcome


@pytest.fixture
def task(prepared, tmp_path):
    return PreparedTask(prepared("leaf-classification@v1"), tmp_path / "submission.csv")


def test_the_right_answers_are_a_graded_submission(task):
    verdict, _ = task.submit(task.gold)
    assert verdict.outcome is Outcome.GRADED
    assert len(task.gold) == len(task.sample)


def test_every_second_row_of_the_mixture_is_right(task):
    ids, columns = task.shape.ids, task.targets
    mixed, gold = task.mixed, task.gold
    assert mixed[ids].equals(gold[ids])
    assert mixed[columns].iloc[1::2].astype(float).equals(gold[columns].iloc[1::2].astype(float))
    sample = task.sample.set_index(ids)[columns].loc[gold[ids[0]]].reset_index(drop=True)
    assert mixed[columns].iloc[::2].astype(float).equals(sample.iloc[::2].astype(float))


def test_keys_of_another_type_are_equal_after_conversion():
    numbers, texts = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": ["1", "2"]})
    assert not row_keys(numbers, ["a"]).equals(row_keys(texts, ["a"]))
    assert row_keys(numbers, ["a"], str).equals(row_keys(texts, ["a"]))
