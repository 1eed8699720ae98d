"""Corrupted submissions differ from the sample, and each task refuses those that its form excludes."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from mlebench.battery.corruptions import CORRUPTIONS, corruptions_to_refuse
from mlebench.tasks.registry import Registry
from mlebench.tasks.shape import Match, Shape
from mlebench.tasks.values import Values


@pytest.mark.parametrize("corrupt", CORRUPTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("ids", [["a", "b"], [1, 2], ["only"]], ids=str)
def test_each_corruption_changes_a_copy_of_the_sample(corrupt, ids):
    sample = pd.DataFrame({"id": ids, "y": 0.5})
    before = sample.copy()
    shape = Shape(id="id", values=Values.NUMBERS)
    corrupted = corrupt(SimpleNamespace(sample=sample, shape=shape, targets=["y"]))
    assert not corrupted.equals(before)
    assert sample.equals(before)


@pytest.mark.parametrize(
    ("match", "values", "more", "accepted"),
    [
        (Match.IDS, Values.NUMBERS, {}, set()),
        (Match.RANK, Values.NUMBERS, {}, {"with_an_id_repeated", "with_an_unknown_id"}),
        (Match.REPEATS, Values.NUMBERS, {}, {"with_a_row_added"}),
        (
            Match.POSITION,
            Values.NUMBERS,
            {},
            {"with_an_id_repeated", "with_an_unknown_id", "without_the_id_column"},
        ),
        (Match.ORDER, Values.NUMBERS, {}, set()),
        (Match.IDS, Values.TEXT, {}, {"with_text_for_a_value"}),
        (Match.IDS, Values.TEXT, {"check": "check"}, set()),
    ],
)
def test_a_task_accepts_only_what_its_form_allows(match, values, more, accepted):
    declared = Registry().get_declaration("spaceship-titanic")
    declared = declared.model_copy(
        update={"check": None, "submission": Shape(id="id", values=values, match=match), **more}
    )
    refused = {corruption.__name__ for corruption in corruptions_to_refuse(declared)}
    assert {corruption.__name__ for corruption in CORRUPTIONS} - refused == accepted
