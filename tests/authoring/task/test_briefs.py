"""The briefs of a new task describe its columns and its form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlebench.authoring.task.briefs import WIDTH, write_brief, write_obfuscated_brief
from mlebench.authoring.task.form import LABELS, NUMBERS, PROBABILITIES, choose_form, find_metric
from mlebench.authoring.task.parts import Parts
from mlebench.authoring.task.table import Table


def brief_of(column=range(20), target=(0, 1) * 10, metric="auc", write=write_obfuscated_brief, **more):
    rows = pd.DataFrame({"id": range(20), "x": column, "y": target, **more})
    table = Table(Path("secret-source.csv"), rows, "y", "id")
    parts = Parts(rows, rows.drop(columns="y"), rows[["id", "y"]], rows[["id", "y"]])
    return write(table, choose_form(table, find_metric(metric)), parts)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (range(20), "a whole number from 0 to 19."),
        (np.arange(20) / 2, "a number from 0 to 9.5."),
        ([1.0, None] * 10, "a whole number from 1 to 1, missing in 50% of the rows."),
        ([None] * 20, "always missing."),
        ([True, False] * 10, "True or False."),
        (["True", None] * 10, "True or False, missing in 50% of the rows."),
        (["b", "a"] * 10, "text, one of a, b."),
        (["a\nb", "a"] * 10, "text with 2 different values."),
        (list("abcdefg") + ["a"] * 13, "text with 7 different values."),
    ],
)
def test_a_column_is_described_by_its_values(column, words):
    assert f"- `x`: {words}\n" in brief_of(column)


def test_columns_that_cannot_be_named_are_counted():
    assert "- and 1 more;" in brief_of(**{"two\nlines": 1})


@pytest.mark.parametrize("metric", [*PROBABILITIES, *LABELS, *NUMBERS])
def test_each_metric_is_explained_with_its_direction(metric):
    brief = brief_of(metric=metric)
    direction = "lower" if find_metric(metric).lower_is_better else "higher"
    assert f"{direction} is better." in " ".join(brief.split())
    assert max(map(len, brief.splitlines())) <= WIDTH


def test_only_the_full_brief_has_the_title_and_a_gap_for_the_author():
    full = brief_of(write=lambda *given: write_brief("My wine", *given))
    assert full.startswith("# My wine\n\n{Say here")
    obfuscated = brief_of()
    assert "wine" not in obfuscated
    assert "{" not in obfuscated
    assert "secret-source" not in full + obfuscated
